/** A reference to quarantined content. What stands here may be shown to the planner, except `name`; the content itself never. */
import type { Label } from '@bravo/policy';
import { plural } from '../tools/text.ts';

export interface SlotRef {
  readonly number: number;
  /** The broker's own words. */
  readonly origin: string;
  /** Chosen by the content; for the person only. */
  readonly name: string;
  readonly kind: string;
  readonly lines: number;
  readonly bytes: number;
  readonly label: Label;
  /** The tool whose call it came from. */
  readonly tool: string;
  /** The file of the workspace it is from, or names; empty: none. Never for the planner. */
  readonly path: string;
  /** The one path it may be written to, null: to none; absent: wherever a person says. */
  readonly destination?: string | null;
}

/** Tools whose slots hold what a program printed or wrote. */
const PROGRAM_TOOLS: readonly string[] = ['execute_script', 'run', 'job_output'];
export const isProgramOutput = ({ tool }: Pick<SlotRef, 'tool'>): boolean => PROGRAM_TOOLS.includes(tool);

/** Whether it is the name of one file of the workspace. */
export const isFileName = ({ kind, path }: Pick<SlotRef, 'kind' | 'path'>): boolean =>
  kind === 'file name' && path !== '';

export interface Slot extends SlotRef {
  readonly toolCallId: string;
  readonly content: Uint8Array;
}

export interface SlotStore {
  /** First of `count` numbers nobody else gets. */
  reserve(conversationId: string, count: number): Promise<number>;
  find(conversationId: string, number: number): Promise<Slot | undefined>;
  refs(conversationId: string, numbers: readonly number[]): Promise<readonly SlotRef[]>;
}

/** What the planner is given instead of the content, one line. */
export const describeRef = (slot: Omit<SlotRef, 'tool' | 'path' | 'destination'>): string =>
  `ref:${slot.number} - ${slot.origin} - ${slot.kind}, ${plural(slot.lines, 'line')}, ${plural(slot.bytes, 'byte')} - ${slot.label.integrity}, ${slot.label.confidentiality}`;

/** The number of `ref:N`, or nothing. */
export const parseRef = (text: string): number | undefined => {
  const found = /^ref:([1-9][0-9]{0,8})$/.exec(text);
  return found === null ? undefined : Number(found[1]);
};
