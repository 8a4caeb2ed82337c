/** Invariants that cannot fail would prove nothing: each is shown what breaks it. */
import { describe, expect, it } from '@jest/globals';
import { checkApprovals, checkEffects, checkEndings, checkSettled, checkTold, checkVerified } from './invariants.ts';

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

const asked = (approval: string) => ({ type: 'agent.tool.approval_requested', data: { approval_id: approval } });
const question = (id: string, status: string) => ({ approval: { id, status } });
const names = (broken: readonly { invariant: string }[]) => broken.map(({ invariant }) => invariant);

describe('no lost approval', () => {
  it('holds for questions that ended, however they did', () => {
    const ends = ['denied', 'expired', 'superseded', 'done', 'failed', 'outcome_unknown'];
    const calls = ends.map((status) => question(`apr_${status}`, status));
    expect(
      checkApprovals(
        calls.map(({ approval }) => asked(approval.id)),
        [...calls, { approval: null }],
      ),
    ).toEqual([]);
  });

  it.each([
    ['one that is gone', []],
    ['one that nobody can answer any more and nobody ended', [question('apr_1', 'pending')]],
    ['a yes that had no effect', [question('apr_1', 'approved')]],
    ['an effect without an end', [question('apr_1', 'executing')]],
    ['one of no known status', [question('apr_1', '')]],
  ])('is broken by %s', (_name, calls) => {
    expect(names(checkApprovals([asked('apr_1')], calls))).toEqual(['no lost approval']);
  });

  it('is broken by a request that never came to rest', () => {
    const settled = { conversation: 'cnv_1', kind: 'run, approved', turns: [], calls: [] } as const;
    expect(checkSettled([{ ...settled, stuck: undefined }])).toEqual([]);
    expect(names(checkSettled([{ ...settled, stuck: 'calls [["tc_1","running"]]' }]))).toEqual(['no lost approval']);
  });
});

describe('no gap in the trail', () => {
  it('holds where every question is told, and calls without one need none', () => {
    expect(checkTold('cnv_1', [asked('apr_1')], [question('apr_1', 'done'), { approval: null }])).toEqual([]);
  });

  it('is broken by a question the trail does not tell of, also where another is told twice', () => {
    const calls = [question('apr_1', 'done'), question('apr_2', 'done')];
    expect(names(checkTold('cnv_1', [asked('apr_1'), asked('apr_1')], calls))).toEqual(['no gap in the trail']);
  });

  it('is broken by a number that never came', () => {
    const verified = { ok: true, size: 9, checkpoint_size: 9, gaps: ['Event 4 of broker never came.'], problem: '' };
    expect(names(checkVerified('acme', verified))).toEqual(['no gap in the trail']);
  });
});

describe('the log verifies', () => {
  const whole = { ok: true, size: 9, checkpoint_size: 9, gaps: [], problem: '' };
  it('holds for a whole log that is signed to its end', () => expect(checkVerified('acme', whole)).toEqual([]));

  it.each([
    ['an entry that is wrong', { ...whole, ok: false, problem: 'Entry 4 is missing.' }, /Entry 4 is missing/],
    ['a tail that nobody signed', { ...whole, checkpoint_size: 7 }, /signed to 7 of 9/],
    ['a verifier that does not answer', undefined, /nobody answered/],
  ])('is broken by %s', (_name, verified, what) => {
    expect(checkVerified('acme', verified)).toEqual([
      { invariant: 'the log verifies', what: expect.stringMatching(what) },
    ]);
  });
});
