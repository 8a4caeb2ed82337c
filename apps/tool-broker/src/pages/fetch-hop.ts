/** One request for one URL, without following it anywhere. */
import type { OnBehalfOf } from '../sandbox/sandbox.ts';

export interface HopRequest {
  readonly url: URL;
  readonly who: OnBehalfOf;
  /** Names the decision in the trail. */
  readonly toolCallId: string;
  readonly maxBytes: number;
}

export type Hop =
  | { readonly kind: 'page'; readonly content: Uint8Array; readonly truncated: boolean }
  /** As the server wrote it; undefined where it wrote none. */
  | { readonly kind: 'redirect'; readonly location: string | undefined }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterMs: number | undefined };

/** @throws FetchFailed */
export type FetchHop = (request: HopRequest, signal: AbortSignal) => Promise<Hop>;

/** Of a closed list, with a sentence of ours: nothing in it was said by a server. */
export class FetchFailed extends Error {
  readonly code: string;
  constructor(code: string, sentence: string, options: ErrorOptions = {}) {
    super(sentence, options);
    this.name = 'FetchFailed';
    this.code = code;
  }
}
