/** What the server stored and what the page saw since are one conversation. */
import { describe, expect, it } from '@jest/globals';
import type { ConversationDetail, Message, ToolCall } from '../api/contract.ts';
import { openQuestions, plainText } from './conversation-state.ts';
import { loadSnapshot } from './load-snapshot.ts';
import { acceptOwnMessage, addOwnMessage, refuseOwnMessage } from './own-actions.ts';
import { reduceEvent } from './reduce-event.ts';

const NOW = Date.parse('2027-01-15T08:00:00Z');
const time = (seconds: number): string => new Date(NOW + seconds * 1000).toISOString();
const message = (
  id: string,
  role: Message['role'],
  content: string,
  seconds: number,
  status = 'complete',
): Message => ({ id, role, content, status, created_at: time(seconds) });
const detail = (messages: Message[], more: Partial<ConversationDetail> = {}): ConversationDetail => ({
  conversation: {
    id: 'cnv_1',
    title: 't',
    mode: 'coworker',
    status: 'active',
    created_at: time(0),
    updated_at: time(0),
    running_turn_id: '',
  },
  messages,
  messages_before: false,
  approvals: [],
  stream_position: '20',
  ...more,
});
const call = (id: string, seconds: number, more: Partial<ToolCall> = {}): ToolCall => ({
  id,
  tool: 'list_files',
  input: {},
  status: 'completed',
  output: '',
  created_at: time(seconds),
  ...more,
});

describe('a stored conversation', () => {
  it('puts calls into the answer they belong to and leaves the platform’s own messages out', () => {
    const state = loadSnapshot(
      null,
      detail([
        message('msg_1', 'user', 'a', 1),
        message('msg_2', 'assistant', 'A', 2),
        message('msg_3', 'system', '[platform] go on', 9),
        message('msg_4', 'user', 'b', 10),
        message('msg_5', 'assistant', 'B', 11),
      ]),
      [call('tc_2', 12), call('tc_1', 3)],
      NOW,
    );
    expect(state.messages.map((m) => [m.id, m.parts.map((p) => (p.kind === 'tool' ? p.callId : p.text))])).toEqual([
      ['msg_1', ['a']],
      ['msg_2', ['tc_1', 'A']],
      ['msg_4', ['b']],
      ['msg_5', ['tc_2', 'B']],
    ]);
    expect(state.position).toBe(20);
    expect(state.phase).toBe('idle');
  });

  it('shows an open question even before its answer is stored', () => {
    const approval = {
      id: 'apr_1',
      tool_call_id: 'tc_1',
      conversation_id: 'cnv_1',
      tool: 'execute_script',
      status: 'pending',
      asks: [],
      trust_output_offered: true,
      grant_scope: null,
      expires_at: time(600),
    };
    const state = loadSnapshot(
      null,
      detail([message('msg_1', 'user', 'a', 1)], { approvals: [approval] }),
      [call('tc_1', 2, { status: 'needs_approval', tool: 'execute_script' })],
      NOW,
    );
    expect(openQuestions(state)[0]!.question!.trustOutputOffered).toBe(true);
    expect(state.messages[1]!.parts).toEqual([{ kind: 'tool', callId: 'tc_1' }]);
  });

  it('leaves out the calls of messages that are not loaded, and says that there are some', () => {
    const state = loadSnapshot(
      null,
      detail([message('msg_9', 'user', 'a', 100), message('msg_10', 'assistant', 'A', 101)], { messages_before: true }),
      [call('tc_1', 3), call('tc_9', 102)],
      NOW,
    );
    expect(Object.keys(state.calls)).toEqual(['tc_9']);
    expect(state.hasOlder).toBe(true);
  });

  it('knows no outcome of a call that ended in a word it does not know', () => {
    const state = loadSnapshot(null, detail([]), [call('tc_1', 3, { status: 'exploded' })], NOW);
    expect(state.calls['tc_1']!.status).toBe('outcome_unknown');
  });

  it('does not ask again what was answered', () => {
    const decided = {
      id: 'apr_1',
      tool_call_id: 'tc_1',
      conversation_id: 'cnv_1',
      tool: 'x',
      status: 'denied',
      asks: [],
      trust_output_offered: false,
      grant_scope: null,
      expires_at: time(600),
      decided_by: 'alice',
    };
    const state = loadSnapshot(
      null,
      detail([message('msg_1', 'user', 'a', 1)]),
      [call('tc_1', 2, { status: 'needs_approval', approval: decided })],
      NOW,
    );
    expect(state.calls['tc_1']).toMatchObject({ status: 'denied', decidedBy: 'alice' });
  });
});

describe('a read while the stream goes on', () => {
  const first = loadSnapshot(
    null,
    detail([message('msg_1', 'user', 'a', 1), message('msg_2', 'assistant', 'Hel', 2, 'streaming')]),
    [],
    NOW,
  );
  const ahead = ['lo', ' you'].reduce(
    (state, delta, i) =>
      reduceEvent(state, { id: `cnv_1:${21 + i}`, event: 'content_delta', data: { delta, offset: 3 + 2 * i } }, NOW),
    first,
  );

  it('continues stored text with what comes after its position', () => {
    expect(plainText(ahead.messages[1]!)).toBe('Hello you');
  });

  it('keeps text the page has and the read does not', () => {
    const again = loadSnapshot(
      ahead,
      detail([message('msg_1', 'user', 'a', 1), message('msg_2', 'assistant', 'Hel', 2, 'streaming')]),
      [],
      NOW,
    );
    expect(plainText(again.messages[1]!)).toBe('Hello you');
    expect(again.position).toBe(22);
  });

  it('keeps a message and a call that began after the read', () => {
    const later = reduceEvent(
      reduceEvent(
        ahead,
        { id: 'cnv_1:30', event: 'message_start', data: { id: 'msg_9', role: 'assistant' } },
        NOW + 9000,
      ),
      { id: 'cnv_1:31', event: 'tool_call_start', data: { id: 'tc_9', tool: 'read_file', input: {} } },
      NOW + 9000,
    );
    const again = loadSnapshot(
      later,
      detail([message('msg_1', 'user', 'a', 1), message('msg_2', 'assistant', 'Hello you', 2)]),
      [],
      NOW,
    );
    expect(again.messages.at(-1)).toMatchObject({ id: 'msg_9', parts: [{ kind: 'tool', callId: 'tc_9' }] });
    expect(again.calls['tc_9']!.tool).toBe('read_file');
  });

  it('takes the read’s word when the stream had lost its place', () => {
    const again = loadSnapshot(
      { ...ahead, stale: true },
      detail([message('msg_2', 'assistant', 'Whole', 2)], { stream_position: '90' }),
      [],
      NOW,
    );
    expect(plainText(again.messages[0]!)).toBe('Whole');
    expect(again).toMatchObject({ stale: false, position: 90 });
  });
});

describe('the person’s own words', () => {
  it('are not doubled once stored, and not lost while unsent', () => {
    const sent = acceptOwnMessage(
      addOwnMessage(loadSnapshot(null, detail([]), [], NOW), 'local:1', 'hello', NOW),
      'local:1',
      NOW,
    );
    const unsent = refuseOwnMessage(addOwnMessage(sent, 'local:2', 'lost?', NOW), 'local:2', 'No.');
    const again = loadSnapshot(unsent, detail([message('msg_1', 'user', 'hello', 1)]), [], NOW);
    expect(again.messages.map((m) => [m.id, m.status])).toEqual([
      ['msg_1', 'complete'],
      ['local:2', 'unsent'],
    ]);
  });
});
