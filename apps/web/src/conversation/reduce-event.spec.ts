/** The fold of stream events: nothing lost, nothing doubled, one end per turn. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseTurnEvent, type UncheckedTurnEvent } from '@bravo/events/turn-catalogue';
import type { TurnEvent } from '../api/contract.ts';
import { type ConversationState, EMPTY_CONVERSATION, openQuestions, plainText } from './conversation-state.ts';
import { acceptOwnMessage, addOwnMessage, answerQuestion, dropQueued, refuseOwnMessage } from './own-actions.ts';
import { eventSequence, reduceEvent } from './reduce-event.ts';

const NOW = 1_800_000_000_000;
/** As the servers send it: what they could not send is no event of these specs. */
const at = (sequence: number, event: UncheckedTurnEvent['event'], data: object = {}): TurnEvent => ({
  id: `cnv_1:${sequence}`,
  event,
  data: parseTurnEvent({ event, data }).data,
});
const fold = (events: TurnEvent[], from: ConversationState = EMPTY_CONVERSATION): ConversationState =>
  events.reduce((state, event) => reduceEvent(state, event, NOW), from);
const asked = (text = 'hello', id = 'local:1'): ConversationState =>
  acceptOwnMessage(addOwnMessage(EMPTY_CONVERSATION, id, text, NOW), id, NOW);
const answerOf = (state: ConversationState): string =>
  plainText(state.messages.findLast((m) => m.role === 'assistant')!);

const QUESTION = {
  id: 'tc_1',
  approval_id: 'apr_1',
  tool: 'execute_script',
  input: { language: 'python', code: 'print(6*7)' },
  why: 'You asked.',
  asks: [{ code: 'approval_required', text: 'This workspace asks a person before every execute_script.' }],
  expires_at: '2027-01-15T08:10:00.000Z',
  trust_output_offered: true,
};
const TURN = [
  at(3, 'status', { state: 'waking' }),
  at(5, 'status', { state: 'running' }),
  at(6, 'message_start', { id: 'msg_1', role: 'assistant' }),
  at(7, 'content_delta', { delta: 'I run ', offset: 0 }),
  at(8, 'content_delta', { delta: 'it.', offset: 6 }),
  at(9, 'tool_call_start', { id: 'tc_1', tool: 'execute_script', input: QUESTION.input, why: 'You asked.' }),
  at(10, 'needs_approval', QUESTION),
  at(12, 'approval_resolved', { id: 'tc_1', approval_id: 'apr_1', decision: 'approved', by: 'alice' }),
  at(13, 'tool_call_end', {
    id: 'tc_1',
    status: 'completed',
    output: 'ref:1 - standard output',
    duration_ms: 40,
    label: { integrity: 'untrusted', confidentiality: 'private' },
    refs: [
      {
        number: 1,
        origin: 'standard output',
        name: '',
        kind: 'text',
        lines: 1,
        bytes: 3,
        label: { integrity: 'untrusted', confidentiality: 'private' },
      },
    ],
  }),
  at(14, 'content_delta', { delta: '\n\nDone.', offset: 9 }),
  at(15, 'message_end', { id: 'msg_1', usage: { input_tokens: 9, output_tokens: 4 } }),
];

describe('a turn', () => {
  it('goes from waking to running to an answer with its card in the middle', () => {
    const waking = fold(TURN.slice(0, 1), asked());
    expect(waking.phase).toBe('waking');
    const done = fold(TURN, asked());
    expect(done.phase).toBe('idle');
    expect(done.messages.map((m) => [m.role, m.status])).toEqual([
      ['user', 'complete'],
      ['assistant', 'complete'],
    ]);
    expect(done.messages[1]!.parts).toEqual([
      { kind: 'text', text: 'I run it.' },
      { kind: 'tool', callId: 'tc_1' },
      { kind: 'text', text: '\n\nDone.' },
    ]);
    expect(done.messages[1]!.usage).toEqual({ input_tokens: 9, output_tokens: 4 });
    expect(done.incomplete).toBe(false);
  });

  it('shows a question until it is answered, with what the second yes would mean', () => {
    const waiting = fold(TURN.slice(0, 7), asked());
    expect(openQuestions(waiting).map((call) => call.id)).toEqual(['tc_1']);
    expect(waiting.calls['tc_1']!.question).toEqual({
      asks: QUESTION.asks,
      expiresAt: Date.parse(QUESTION.expires_at),
      rememberRule: '',
      trustOutputOffered: true,
      grantScope: null,
    });
    expect(openQuestions(answerQuestion(waiting, 'tc_1', 'approved'))).toEqual([]);
    expect(openQuestions(fold(TURN.slice(7, 8), waiting))).toEqual([]);
  });

  it('finds the references a result names', () => {
    const call = fold(TURN, asked()).calls['tc_1']!;
    expect(call).toMatchObject({
      status: 'completed',
      durationMs: 40,
      decidedBy: 'alice',
      label: { integrity: 'untrusted', confidentiality: 'private' },
    });
    expect(call.refs.map((ref) => ref.number)).toEqual([1]);
  });

  it('knows no outcome of a call that ended in a word it does not know', () => {
    const odd = { id: 'cnv_1:13', event: 'tool_call_end', data: { id: 'tc_1', status: 'exploded', output: '' } };
    expect(fold([...TURN.slice(0, 8), odd], asked()).calls['tc_1']!.status).toBe('outcome_unknown');
  });

  it('never reopens a call that ended, whatever comes late', () => {
    const late = fold(
      [
        at(20, 'needs_approval', QUESTION),
        at(21, 'approval_resolved', { id: 'tc_1', approval_id: 'apr_1', decision: 'denied', by: 'bob' }),
      ],
      fold(TURN, asked()),
    );
    expect(late.calls['tc_1']!.status).toBe('completed');
  });

  it('keeps what was said when it fails, and says why under it', () => {
    const failed = fold(
      [
        ...TURN.slice(0, 5),
        at(9, 'error', { code: 'model_unavailable', detail: 'The model cannot be reached.', retryable: true }),
      ],
      asked(),
    );
    expect(failed.messages[1]).toMatchObject({
      status: 'failed',
      problem: 'The model cannot be reached. You can send the message again.',
    });
    expect(answerOf(failed)).toBe('I run it.');
    expect(failed.problem).toBeNull();
    expect(failed.phase).toBe('idle');
  });

  it('says why on its own when it fails before an answer began', () => {
    const failed = fold(
      [
        at(3, 'status', { state: 'waking' }),
        at(4, 'error', { code: 'pod_unavailable', detail: 'No agent pod could be started.', retryable: false }),
      ],
      asked(),
    );
    expect(failed.problem).toBe('No agent pod could be started.');
  });

  it('is cancelled without a complaint', () => {
    const stopped = fold(
      [
        ...TURN.slice(0, 5),
        at(9, 'error', { code: 'turn_cancelled', detail: 'The turn was cancelled.', retryable: false }),
      ],
      asked(),
    );
    expect(stopped.messages[1]!.status).toBe('cancelled');
    expect(stopped.problem).toBeNull();
  });

  it('asks for a fresh read after resync and for an answer to nothing it knows', () => {
    expect(fold([at(1, 'resync')]).stale).toBe(true);
    expect(fold([at(1, 'message_start', { id: 'msg_9', role: 'assistant' })]).incomplete).toBe(true);
  });

  it('reads step_up, and takes an unknown event for nothing', () => {
    const state = fold([
      at(1, 'step_up', { current_mode: 'ask', required_mode: 'coworker', action: 'write_file' }),
      { id: 'cnv_1:2', event: 'surprise', data: { a: 1 } },
    ]);
    expect(state.stepUp).toEqual({
      ...{ currentMode: 'ask', requiredMode: 'coworker', action: 'write_file' },
      ...{ callId: '', grantScope: null },
    });
    expect(state.position).toBe(2);
  });
});

describe('repeats and reconnects', () => {
  it('applies each event once however often the stream repeats a stretch of it', () => {
    const once = fold(TURN, asked());
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(TURN.length), fc.nat(TURN.length)), { maxLength: 6 }), (rewinds) => {
        // Reads on from a place at or before the last one, as a client does that lost its connection.
        const heard: TurnEvent[] = [];
        let next = 0;
        for (const [ahead, back] of rewinds) {
          const end = Math.min(TURN.length, next + ahead);
          heard.push(...TURN.slice(next, end));
          next = Math.max(0, end - back);
        }
        heard.push(...TURN.slice(next));
        expect(fold(heard, asked())).toEqual(once);
      }),
    );
  });

  it('tells a message again from its start without doubling it', () => {
    const half = { ...fold(TURN.slice(0, 5), asked()), position: 2 };
    expect(answerOf(fold(TURN.slice(2, 5), half))).toBe('I run it.');
  });

  it('lets a stored beginning and the stream meet exactly', () => {
    const joined = fold(TURN.slice(2, 4), asked()); // "I run "
    const told = (offset: number, delta: string): ConversationState =>
      fold([at(9, 'content_delta', { delta, offset })], joined);
    expect(answerOf(told(6, 'it.'))).toBe('I run it.');
    expect(answerOf(told(2, 'run it.'))).toBe('I run it.');
    expect(answerOf(told(0, 'I r'))).toBe('I run ');
    expect(told(9, 'later')).toMatchObject({ incomplete: true });
    expect(answerOf(told(9, 'later'))).toBe('I run ');
  });

  it('checks an answer it joined in the middle once it has ended', () => {
    const running = fold(TURN.slice(0, 5), asked());
    const joined = { ...running, messages: running.messages.map((m) => ({ ...m, joined: m.status === 'streaming' })) };
    expect(fold([at(9, 'message_end', { id: 'msg_1', usage: null })], joined).incomplete).toBe(true);
    expect(fold([at(9, 'message_end', { id: 'msg_1', usage: null })], running).incomplete).toBe(false);
  });

  it('does not tell the end of an answer again that was stored whole in the meantime', () => {
    const stored = fold(TURN, asked());
    const behind = { ...stored, position: 13 };
    const state = fold(TURN.slice(9), behind);
    expect(state.messages).toHaveLength(2);
    expect(answerOf(state)).toBe('I run it.\n\nDone.');
    expect(state).toMatchObject({ incomplete: true, phase: 'idle' });
  });

  it('gives the calls of an agent without turns a place of their own', () => {
    const state = fold([
      at(1, 'tool_call_start', { id: 'tc_1', tool: 'list_files', input: {}, why: '' }),
      at(2, 'tool_call_start', { id: 'tc_2', tool: 'list_files', input: {}, why: '' }),
    ]);
    expect(state.messages.map((m) => m.parts.length)).toEqual([2]);
    expect(state.phase).toBe('idle');
  });

  it('reads the sequence of an id, and applies what has none', () => {
    expect(eventSequence('cnv_1:42-mf3k2a1b')).toBe(42);
    expect(eventSequence('cnv_1:42')).toBe(42);
    expect(eventSequence('')).toBeUndefined();
    expect(fold([{ id: '', event: 'status', data: { state: 'waking' } }]).phase).toBe('waking');
  });
});

describe('messages sent while a turn is at work', () => {
  const busy = fold(TURN.slice(0, 5), asked());
  const queued = acceptOwnMessage(addOwnMessage(busy, 'local:2', 'and then?', NOW), 'local:2', NOW);

  it('wait, and are answered in their place', () => {
    expect(queued.messages.at(-1)!.status).toBe('queued');
    const first = fold([at(9, 'message_end', { id: 'msg_1', usage: null })], queued);
    expect(first.phase).toBe('queued');
    const second = fold(
      [
        at(10, 'message_start', { id: 'msg_2', role: 'assistant' }),
        at(11, 'content_delta', { delta: 'Then this.', offset: 0 }),
      ],
      first,
    );
    expect(second.messages.map((m) => `${m.role} ${m.status}`)).toEqual([
      'user complete',
      'assistant complete',
      'user complete',
      'assistant streaming',
    ]);
    expect(second.incomplete).toBe(false);
  });

  it('stand behind an answer that begins after they were sent', () => {
    const early = acceptOwnMessage(addOwnMessage(asked(), 'local:2', 'and then?', NOW), 'local:2', NOW);
    const state = fold([at(6, 'message_start', { id: 'msg_1', role: 'assistant' })], early);
    expect(state.messages.map((m) => m.id)).toEqual(['local:1', 'msg_1', 'local:2']);
    expect(state.messages[2]!.status).toBe('queued');
  });

  it('are dropped with a cancel, and kept with the reason when the server refuses them', () => {
    expect(dropQueued(queued).messages.at(-1)!.status).toBe('cancelled');
    const refused = refuseOwnMessage(addOwnMessage(busy, 'local:3', 'x', NOW), 'local:3', 'Too many.');
    expect(refused.messages.at(-1)).toMatchObject({ status: 'unsent', problem: 'Too many.' });
  });

  it('do not wait when the stream was quicker than the acceptance', () => {
    const quick = fold(
      [at(3, 'message_start', { id: 'msg_1', role: 'assistant' })],
      addOwnMessage(EMPTY_CONVERSATION, 'local:1', 'hi', NOW),
    );
    expect(acceptOwnMessage(quick, 'local:1', NOW).messages.map((m) => m.status)).toEqual(['complete', 'streaming']);
  });
});
