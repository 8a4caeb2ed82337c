/** Invariants that cannot fail would prove nothing: each is shown what breaks it. */
import { describe, expect, it } from '@jest/globals';
import { checkEffects, checkEndings } from './invariants.ts';

const ran = (call: string, digest: string) => ({
  type: 'agent.code.executed',
  data: { tool_call_id: call, code_digest: digest },
});
const executed = (call: string, approval: string) => ({
  type: 'agent.tool.executed',
  data: { tool_call_id: call, approval_id: approval },
});
const denied = (call: string) => ({ type: 'agent.tool.denied', data: { tool_call_id: call } });
const stream = (...events: string[]) => events.map((event, at) => ({ id: `cnv_1:${at + 1}`, event }));

describe('no effect twice', () => {
  it('holds for calls that each had theirs', () => {
    expect(
      checkEffects([
        ran('tc_1', 'a'),
        executed('tc_1', 'apr_1'),
        ran('tc_2', 'b'),
        executed('tc_2', 'apr_2'),
        denied('tc_3'),
      ]),
    ).toEqual([]);
  });

  it.each([
    ['one approval executed twice', [executed('tc_1', 'apr_1'), executed('tc_2', 'apr_1')]],
    ['one call executed twice', [executed('tc_1', 'apr_1'), executed('tc_1', 'apr_2')]],
    ['the same request run by two calls', [ran('tc_1', 'a'), ran('tc_2', 'a')]],
    ['a denied call that ran', [denied('tc_1'), ran('tc_1', 'a')]],
  ])('is broken by %s', (_name, entries) => {
    expect(checkEffects(entries).map(({ invariant }) => invariant)).toContain('no effect twice');
  });
});

describe('one terminal event per turn', () => {
  it('holds for turns that ended well, badly, and before they said anything', () => {
    const events = stream('message_start', 'content_delta', 'message_end', 'message_start', 'error', 'status', 'error');
    expect(checkEndings('cnv_1', events, 3)).toEqual([]);
  });

  it.each([
    ['an answer that never ends', stream('message_start', 'message_end', 'message_start'), 2],
    ['an answer that begins inside another', stream('message_start', 'message_start', 'message_end'), 1],
    ['a turn that ends twice', stream('message_start', 'message_end', 'error'), 1],
    ['a turn of which the stream says nothing', stream('message_start', 'message_end'), 2],
  ])('is broken by %s', (_name, events, turns) => {
    expect(checkEndings('cnv_1', events, turns)).not.toEqual([]);
  });
});
