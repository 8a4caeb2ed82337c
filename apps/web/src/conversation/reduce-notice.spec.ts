/** A word of the platform about the turn, as the page keeps it. */
import { describe, expect, it } from '@jest/globals';
import { parseTurnEvent, type UncheckedTurnEvent } from '@bravo/events/turn-catalogue';
import type { TurnEvent } from '../api/contract.ts';
import { type ConversationState, EMPTY_CONVERSATION, plainText } from './conversation-state.ts';
import { addOwnMessage } from './own-actions.ts';
import { reduceEvent } from './reduce-event.ts';

const NOW = 1_800_000_000_000;
const at = (sequence: number, event: UncheckedTurnEvent['event'], data: object): TurnEvent => ({
  id: `cnv_1:${sequence}`,
  event,
  data: parseTurnEvent({ event, data }).data,
});
const fold = (events: TurnEvent[], from: ConversationState): ConversationState =>
  events.reduce((state, event) => reduceEvent(state, event, NOW), from);
const asked = (): ConversationState => addOwnMessage(EMPTY_CONVERSATION, 'local:1', 'hello', NOW);
const answerOf = (state: ConversationState): string =>
  plainText(state.messages.findLast((m) => m.role === 'assistant')!);

describe('a notice', () => {
  it('stands in the answer once, is no part of its words, and stays when the answer is told again', () => {
    const notice = at(7, 'notice', { id: 'ntc_1', kind: 'context_compacted', text: 'Older messages are a summary.' });
    const begun = fold([at(6, 'message_start', { id: 'msg_1', role: 'assistant' }), notice], asked());
    const said = fold([{ ...notice, id: 'cnv_1:8' }, at(9, 'content_delta', { delta: 'Fine.', offset: 0 })], begun);
    expect(answerOf(said)).toBe('Fine.');
    const again = fold([at(10, 'message_start', { id: 'msg_1', role: 'assistant' })], said);
    expect(again.messages.at(-1)?.parts).toEqual([
      { kind: 'notice', id: 'ntc_1', text: 'Older messages are a summary.' },
    ]);
  });
});
