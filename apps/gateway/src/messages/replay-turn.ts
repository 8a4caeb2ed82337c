/** A turn that has ended, told from its record in the words of the stream, from where the stream stopped; nothing runs for it. */
import { faultRow } from '@bravo/faults';
import type { TurnState } from '../conversations/orchestrator.ts';
import { codeOfTurn } from '../turn-streams/turn-code.ts';
import type { PositionedEvent } from '../turn-streams/turn-log.ts';

/** What a client was told of the turn by the stream. */
export interface ToldSoFar {
  /** Every event from the record has it: of the last event told, or before the turn, so that a client that resumes misses nothing. */
  readonly position: number;
  readonly generation?: string;
  readonly begun: boolean;
  /** UTF-16 units of the answer. */
  readonly said: number;
}

export const replayTurn = function* (
  state: TurnState,
  { begun, said, ...place }: ToldSoFar,
): Iterable<PositionedEvent> {
  const { status, assistantMessage } = state;
  const id = assistantMessage?.id ?? '';
  if (assistantMessage) {
    if (!begun) yield { ...place, event: { event: 'message_start', data: { id, role: 'assistant' } } };
    const delta = assistantMessage.content.slice(said);
    if (delta !== '') yield { ...place, event: { event: 'content_delta', data: { delta, offset: said } } };
  }
  if (status === 'completed') {
    yield { ...place, event: { event: 'message_end', data: { id, usage: assistantMessage?.usage ?? null } } };
    return;
  }
  const code = codeOfTurn(state);
  const { retryable } = faultRow(code);
  yield { ...place, event: { event: 'error', data: { code, detail: `The turn ended as ${status}.`, retryable } } };
};
