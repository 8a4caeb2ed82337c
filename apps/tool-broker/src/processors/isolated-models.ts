/** A model call that has nothing but what it is given: no tools, no memory, no conversation. */
import type { OnBehalfOf } from '../sandbox/sandbox.ts';

export type IsolatedInput =
  | { readonly name: string; readonly text: string }
  /** A file whose extension says what it is: looked at, not spelt out. */
  | { readonly name: string; readonly mediaType: string; readonly bytes: Uint8Array };

export interface IsolatedModels {
  /** @throws Fault where no model answers. */
  run(
    who: OnBehalfOf,
    task: { readonly instruction: string; readonly inputs: readonly IsolatedInput[]; readonly signal: AbortSignal },
  ): Promise<string>;
}
