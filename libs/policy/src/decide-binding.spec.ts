import type { Facts, ToolManifest } from './index.ts';
import { decide, TRUSTED_PRIVATE, UNTRUSTED_PRIVATE } from './index.ts';
import { configSnapshot, executeScript, factsFor } from './facts.fixture.ts';
import { code, person, script, write } from './calls.fixture.ts';

describe('what an approval is bound to [approval.exact-call] [hostile.replay]', () => {
  const asked = (over: Partial<Facts>, manifest: ToolManifest = script) => {
    const decision = decide(
      factsFor(manifest, { arguments: code, config: configSnapshot({ requireApproval: ['execute_script'] }), ...over }),
    );
    if (decision.effect !== 'ask') throw new Error(`expected a question, got ${decision.effect}`);
    return decision.boundTo.digest;
  };
  const paths = (revision: string | null) => [{ path: '/w/a', access: 'read', trust: 'trusted', revision } as const];

  it('is the same call under another remark', () => {
    expect(asked({ arguments: { ...code, why: 'because' } })).toBe(asked({ arguments: { ...code, why: 'for fun' } }));
  });

  it.each<[string, Partial<Facts>]>([
    ['an argument', { arguments: { ...code, code: 'print(6*8)' } }],
    ['a target', { resolvedTargets: { host: 'example.org' } }],
    ['a revision', { paths: paths('2') }],
    ['a file that was not there', { paths: paths(null) }],
    ['the person', { principal: { ...person, userId: 'usr_2' } }],
    ['the conversation', { principal: { ...person, conversationId: 'cnv_2' } }],
    ['the policy', { config: configSnapshot({ requireApproval: ['execute_script'], policyVersion: 'p2' }) }],
  ])('changes with %s', (_what, over) => {
    expect(asked({ paths: paths('1'), ...over })).not.toBe(asked({ paths: paths('1') }));
  });
});

describe('the second kind of yes (D1)', () => {
  it.each<[string, Partial<Facts>, boolean]>([
    ['words only', {}, true],
    [
      'a trusted file',
      {
        paths: [{ path: '/w/a', access: 'read', trust: 'trusted', revision: '1' }],
        inputs: [{ name: 'a', label: TRUSTED_PRIVATE }],
      },
      true,
    ],
    ['an untrusted file', { paths: [{ path: '/w/a', access: 'read', trust: 'unmentioned', revision: '1' }] }, false],
    ['an untrusted input', { inputs: [{ name: 'a', label: UNTRUSTED_PRIVATE }] }, false],
    ['an input of unknown label', { inputs: [{ name: 'a', label: 'unknown' }] }, false],
  ])('%s', (_title, over, offered) => {
    const decision = decide(factsFor(executeScript({ defaultGate: 'every_time' }), { arguments: code, ...over }));
    expect(decision).toMatchObject({ effect: 'ask', trustOutputOffered: offered });
  });

  it('is no question of a tool that runs no code', () => {
    expect(decide(factsFor(write))).toMatchObject({ effect: 'ask', trustOutputOffered: false });
  });
});
