/** A request in the pieces it may be cut between: a round, which is a call of tools with all its results, is one piece and never two. */
import type { ModelMessage } from '../providers/model-provider.port.ts';
import { usualTokensOfMessage } from '../quotas/estimate-tokens.ts';

export interface Piece {
  readonly messages: readonly ModelMessage[];
  readonly kind: 'said' | 'answer' | 'round';
  /** Of the usual kind: nothing of it is measured. */
  readonly tokens: number;
}

export function piecesOf(messages: readonly ModelMessage[]): Piece[] {
  const groups: ModelMessage[][] = [];
  for (const message of messages) {
    const last = groups.at(-1);
    // A result without its call stays with what came before it: alone no provider takes it.
    if (message.role === 'tool' && last) last.push(message);
    else groups.push([message]);
  }
  return groups.map((group) => ({
    messages: group,
    kind: kindOf(group[0]),
    tokens: group.reduce((sum, message) => sum + usualTokensOfMessage(message), 0),
  }));
}

const kindOf = (message: ModelMessage | undefined): Piece['kind'] => {
  if (message?.role !== 'assistant') return 'said';
  return message.toolCalls.length > 0 ? 'round' : 'answer';
};

/** Pieces no cut takes: what was asked since the last finished answer, and the newest of all, which the model has not seen. */
export function protectedOf(pieces: readonly Piece[]): ReadonlySet<number> {
  const turn = pieces.findLastIndex(({ kind }) => kind === 'answer') + 1;
  const asked = pieces.flatMap(({ kind }, index) => (index >= turn && kind === 'said' ? [index] : []));
  return new Set([...asked, pieces.length - 1]);
}
