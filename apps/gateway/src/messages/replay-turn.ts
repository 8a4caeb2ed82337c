/** A turn that ended long ago, told again from its record in the words of the stream; nothing runs for it. */
import type { TurnState } from '../conversations/orchestrator.ts';
import type { PositionedEvent } from '../turn-streams/turn-log.ts';

/** Every event has the position the turn began after: a client that resumes from one is told to read the conversation anew. */
export const replayTurn = function* (
  { status, assistantMessage }: TurnState,
  position: number,
): Iterable<PositionedEvent> {
  const id = assistantMessage?.id ?? '';
  if (assistantMessage) {
    yield { position, event: { event: 'message_start', data: { id, role: 'assistant' } } };
    if (assistantMessage.content !== '') {
      yield { position, event: { event: 'content_delta', data: { delta: assistantMessage.content, offset: 0 } } };
    }
  }
  if (status === 'completed') {
    yield { position, event: { event: 'message_end', data: { id, usage: assistantMessage?.usage ?? null } } };
    return;
  }
  const code = assistantMessage?.error_code || `turn_${status}`;
  yield {
    position,
    event: { event: 'error', data: { code, detail: `The turn ended as ${status}.`, retryable: false } },
  };
};
