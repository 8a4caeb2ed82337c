/** The stretch each conversation's requests begin with and what stands in its place, in memory only: a request that no longer begins so is taken as it is. */
import { createHash } from 'node:crypto';
import type { ModelMessage } from '../providers/model-provider.port.ts';

export interface KnownStretch {
  /** Messages at the beginning of the request. */
  readonly count: number;
  /** Of these, the ones that stay as they are. */
  readonly kept: readonly number[];
  /** Empty: the stretch is left out and nothing is told of it. */
  readonly text: string;
  /** Messages that are not told as they are, over all cuts. */
  readonly messages: number;
  readonly leftOut: number;
}

export interface KnownStretches {
  of(conversationId: string, messages: readonly ModelMessage[]): KnownStretch | undefined;
  put(conversationId: string, messages: readonly ModelMessage[], stretch: KnownStretch): void;
}

const MOST = 1_000;

export function createKnownStretches(): KnownStretches {
  const known = new Map<string, KnownStretch & { readonly digest: string }>();
  return {
    of: (conversationId, messages) => {
      const stretch = known.get(conversationId);
      if (!stretch || messages.length < stretch.count) return undefined;
      return digestOf(messages, stretch.count) === stretch.digest ? stretch : undefined;
    },
    put: (conversationId, messages, stretch) => {
      known.delete(conversationId);
      known.set(conversationId, { ...stretch, digest: digestOf(messages, stretch.count) });
      if (known.size > MOST) known.delete(known.keys().next().value ?? '');
    },
  };
}

function digestOf(messages: readonly ModelMessage[], count: number): string {
  const hash = createHash('sha256');
  for (const message of messages.slice(0, count)) hash.update(JSON.stringify(message)).update('\n');
  return hash.digest('hex');
}
