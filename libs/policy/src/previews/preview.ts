/** What a person is shown before they answer, as rows that a page and a terminal draw alike. It must hold text that is safe to print as it is, and nothing that was left out unsaid. */
import type { ShownText } from './shown-text.ts';

interface Row extends ShownText {
  readonly kind: 'heading' | 'value' | 'hunk' | 'note' | 'warning' | 'more';
  /** Of a value: what it is the value of. */
  readonly name?: string;
}

/** A line of content with its numbers before and after, counted from 1. */
interface LineRow extends ShownText {
  readonly kind: 'same' | 'added' | 'removed' | 'line';
  readonly before?: number;
  readonly after?: number;
}

export type PreviewRow = Row | LineRow;

/** A question to be answered, not allowed. Answers name it, and its options, by their numbers from 1. */
export interface ShownQuestion {
  /** Its place in the call. */
  readonly number: number;
  readonly header: ShownText;
  readonly question: ShownText;
  /** Empty: own words only. */
  readonly options: readonly ShownText[];
  readonly multiple: boolean;
}

export interface Preview {
  /** {@link RENDERING_VERSION} of the drawing. */
  readonly version: number;
  readonly rows: readonly PreviewRow[];
  /** Lines that the change adds and takes away; also those that are not drawn. */
  readonly added: number;
  readonly removed: number;
  /** Characters drawn as a symbol because they cannot be seen or pose as others. */
  readonly symbols: number;
  /** Of a call that only asks: the same questions as in the rows, to be answered one by one. */
  readonly questions?: readonly ShownQuestion[];
}

/** Bytes as they may be drawn. */
export type PreviewContent =
  | { readonly kind: 'text'; readonly text: string }
  /** No text, or too long to be drawn: named by its size and SHA-256 instead. */
  | { readonly kind: 'bytes'; readonly what: string; readonly bytes: number; readonly digest: string };
