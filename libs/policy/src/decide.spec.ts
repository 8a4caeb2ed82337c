import type { Decision, Facts, ReasonCode, Step, ToolManifest } from './index.ts';
import { decide, TRUSTED_PRIVATE, TRUSTED_PUBLIC, UNTRUSTED_PRIVATE, UNTRUSTED_PUBLIC } from './index.ts';
import { configSnapshot, executeScript, factsFor, NOW, toolManifest } from './facts.fixture.ts';

type Expected = [effect: Decision['effect'], step: Step, reason: ReasonCode];
type Row = [title: string, facts: Facts, expected: Expected];

const read = toolManifest();
const write = toolManifest({ name: 'write_file', effect: 'write', permission: 'manage_files', defaultGate: 'every_time' });
const script = executeScript();
const fetchUrl = toolManifest({ name: 'fetch_url', external: true, confined: false, defaultGate: 'every_time' });
const foreign = toolManifest({ name: 'weather_now', origin: 'foreign', confined: false, external: true, defaultGate: 'every_time' });
const merge = toolManifest({ name: 'merge_stream', effect: 'destructive', confined: false, permission: 'view_content' });
const question = toolManifest({ name: 'ask_user', arguments: { text: { class: 'content' }, why: { class: 'content' } }, starts: 'question' });

const code = { language: 'python', code: 'print(6*7)' };
const rule = (text: string) => ({ rule: text, layer: 'user' as const });
const rules = (over: Partial<Exclude<Facts['rules'], 'unknown'>>) => ({ deny: [], ask: [], allow: [], ...over });
const grant = (tool: string, scope = { path: '/w/a.txt' }, expiresAt = NOW + 1) => ({ id: 'grt_1', tool, scope, expiresAt });
const fallen = { integrity: 'untrusted', holdsPrivate: false } as const;
const privatePath = { argumentLabels: { path: TRUSTED_PRIVATE }, context: { integrity: 'trusted', holdsPrivate: true } } as const;
const person = factsFor(read).principal;

const rows: Row[] = [
  ['a plain read passes', factsFor(read), ['allow', 'default_gate', 'no_gate']],

  ['1: feature off', factsFor(read, { feature: 'off' }), ['deny', 'feature_gate', 'feature_off']],
  ['1: feature unreadable', factsFor(read, { feature: 'unknown' }), ['deny', 'feature_gate', 'feature_unreadable']],
  ['1: no configuration', factsFor(read, { config: 'unknown' }), ['deny', 'feature_gate', 'config_unreadable']],
  ['1: disabled', factsFor(read, { config: configSnapshot({ enabled: false }) }), ['deny', 'feature_gate', 'bravo_disabled']],

  ['2: unknown tool', factsFor(read, { tool: { kind: 'unknown', name: 'x' } }), ['deny', 'tool_offered', 'tool_unknown']],
  ['2: not offered', factsFor(read, { tool: { kind: 'known', manifest: read, offered: false } }), ['deny', 'tool_offered', 'tool_not_offered']],
  ['2: unbound token', factsFor(read, { principal: { ...person, conversationId: undefined } }), ['deny', 'tool_offered', 'conversation_unbound']],
  ['2: a stray argument', factsFor(read, { arguments: { path: '/w/a', approved: true } }), ['deny', 'tool_offered', 'argument_unclassified']],

  ['3: denied', factsFor(read, { config: configSnapshot({ deniedTools: ['read_file'] }) }), ['deny', 'tool_lists', 'tool_denied']],
  ['3: denied though allowed', factsFor(read, { config: configSnapshot({ deniedTools: ['read_file'], allowedTools: ['read_file'] }) }), ['deny', 'tool_lists', 'tool_denied']],
  ['3: not among the allowed', factsFor(read, { config: configSnapshot({ allowedTools: ['search'] }) }), ['deny', 'tool_lists', 'tool_not_allowed']],
  ['3: code execution off', factsFor(script, { arguments: code, config: configSnapshot({ codeExecEnabled: false }) }), ['deny', 'tool_lists', 'code_execution_off']],

  ['4: unreadable mode', factsFor(read, { mode: 'unknown' }), ['deny', 'mode_ceiling', 'mode_unreadable']],
  ['4: a write in ask mode', factsFor(write, { mode: 'ask' }), ['deny', 'mode_ceiling', 'mode_too_low']],
  ['4: a grant raises the mode and answers', factsFor(write, { mode: 'ask', grants: [grant('write_file')] }), ['allow', 'standing_answers', 'grant']],
  ['4: a grant for another path does not', factsFor(write, { mode: 'ask', grants: [grant('write_file', { path: '/w/b' })] }), ['deny', 'mode_ceiling', 'mode_too_low']],
  ['4: an expired grant does not', factsFor(write, { mode: 'ask', grants: [grant('write_file', undefined, NOW)] }), ['deny', 'mode_ceiling', 'mode_too_low']],
  ['4: a grant of no scope means nothing', factsFor(write, { mode: 'ask', grants: [{ ...grant('write_file'), scope: {} }] }), ['deny', 'mode_ceiling', 'mode_too_low']],

  ['5: permission missing', factsFor(write, { principal: { ...person, permissions: ['view_content'] } }), ['deny', 'own_permission', 'permission_missing']],
  ['5: a grant never goes above it', factsFor(write, { principal: { ...person, permissions: [] }, grants: [grant('write_file')] }), ['deny', 'own_permission', 'permission_missing']],
  ['5: permissions unreadable', factsFor(read, { principal: { ...person, permissions: 'unknown' } }), ['deny', 'own_permission', 'permissions_unreadable']],

  ['6: deny rule', factsFor(read, { rules: rules({ deny: [rule('Read(/w/**)')], allow: [rule('Read')] }) }), ['deny', 'deny_rules', 'deny_rule']],
  ['6: rules unreadable', factsFor(read, { rules: 'unknown' }), ['deny', 'deny_rules', 'rules_unreadable']],

  ['7: untrusted routing', factsFor(read, { argumentLabels: { path: UNTRUSTED_PUBLIC } }), ['deny', 'routing_integrity', 'routing_untrusted']],
  ['7: routing without a label', factsFor(read, { argumentLabels: {} }), ['deny', 'routing_integrity', 'routing_untrusted']],
  ['7: untrusted content is fine', factsFor(write, { arguments: { path: '/w/a', contents: 'x' }, argumentLabels: { path: TRUSTED_PUBLIC, contents: UNTRUSTED_PRIVATE } }), ['ask', 'default_gate', 'default_gate']],
  ['7: a fallen context names no path', factsFor(read, { context: fallen }), ['deny', 'routing_integrity', 'context_fallen']],
  ['7: a fallen context names no reference', factsFor(read, { context: fallen, arguments: { ref: 'ref:1' } }), ['deny', 'routing_integrity', 'context_fallen']],
  ['7: a fallen context asks no question', factsFor(question, { context: fallen, arguments: { text: 'ok?' } }), ['deny', 'routing_integrity', 'context_fallen']],
  ['7: a fallen context may read what names nothing', factsFor(read, { context: fallen, arguments: {} }), ['allow', 'default_gate', 'no_gate']],
  ['7: context unreadable', factsFor(read, { context: 'unknown' }), ['deny', 'routing_integrity', 'context_unreadable']],
  ['7: trust of a path unreadable', factsFor(read, { paths: [{ path: '/w/a', access: 'read', trust: 'unknown', revision: '1' }] }), ['deny', 'routing_integrity', 'facts_unreadable']],
  ['7: revision unreadable', factsFor(read, { paths: [{ path: '/w/a', access: 'read', trust: 'trusted', revision: 'unknown' }] }), ['deny', 'routing_integrity', 'facts_unreadable']],

  ['D5: a confined read is promoted', factsFor(read, privatePath), ['allow', 'default_gate', 'no_gate']],
  ['D5: a write is endorsed', factsFor(write, privatePath), ['ask', 'routing_integrity', 'routing_private']],
  ['D5: no grant endorses it', factsFor(write, { ...privatePath, grants: [grant('write_file')] }), ['ask', 'routing_integrity', 'routing_private']],
  ['D5: an allow rule does not either', factsFor(write, { ...privatePath, rules: rules({ allow: [rule('Edit')] }) }), ['ask', 'routing_integrity', 'routing_private']],
  ['D5: the exact remembered line does', factsFor(write, { ...privatePath, rules: rules({ allow: [{ ...rule('Edit(/w/a.txt)'), exact: true }] }) }), ['allow', 'standing_answers', 'allow_rule']],
  ['D5: not where the call leaves', factsFor(fetchUrl, { ...privatePath, rules: rules({ allow: [{ ...rule('WebFetch(x)'), exact: true }] }) }), ['ask', 'routing_integrity', 'routing_private']],

  ['8: private input to a run', factsFor(script, { arguments: code, inputs: [{ name: 'a', label: TRUSTED_PRIVATE }], rules: rules({ allow: [{ ...rule('Bash'), exact: true }] }) }), ['ask', 'always_ask', 'private_input_to_run']],
  ['8: private data to a foreign tool', factsFor(foreign, { argumentLabels: { path: TRUSTED_PUBLIC, contents: TRUSTED_PRIVATE }, arguments: { path: 'x', contents: 'y' }, rules: rules({ allow: [rule('Mcp')] }) }), ['ask', 'always_ask', 'private_data_to_foreign_tool']],
  ['8: a write through a reference', factsFor(write, { writesThroughReference: true, grants: [grant('write_file')] }), ['ask', 'always_ask', 'write_through_reference']],
  ['8: an environment assignment', factsFor(script, { arguments: code, assignsEnvironment: true, rules: rules({ allow: [rule('Bash')] }) }), ['ask', 'always_ask', 'environment_assignment']],
  ['8: inputs unreadable', factsFor(script, { arguments: code, inputs: 'unknown' }), ['deny', 'always_ask', 'facts_unreadable']],

  ['9: an ask rule', factsFor(read, { rules: rules({ ask: [rule('Read')], allow: [rule('Read')] }), grants: [grant('read_file')] }), ['ask', 'ask_rules', 'ask_rule']],
  ['9: approval required', factsFor(script, { arguments: code, config: configSnapshot({ requireApproval: ['execute_script'] }) }), ['ask', 'ask_rules', 'approval_required']],

  ['10: a grant answers approval required', factsFor(write, { config: configSnapshot({ requireApproval: ['write_file'] }), grants: [grant('write_file')] }), ['allow', 'standing_answers', 'grant']],
  ['10: an allow rule answers the default', factsFor(fetchUrl, { rules: rules({ allow: [rule('WebFetch(domain:x)')] }) }), ['allow', 'standing_answers', 'allow_rule']],
  ['10: nobody watching ignores allow rules', factsFor(fetchUrl, { watched: false, rules: rules({ allow: [rule('WebFetch(domain:x)')] }) }), ['ask', 'default_gate', 'default_gate']],
  ['10: a grant never answers something external', factsFor(fetchUrl, { grants: [grant('fetch_url')] }), ['ask', 'default_gate', 'default_gate']],
  ['10: nothing answers something destructive', factsFor(merge, { grants: [grant('merge_stream')], rules: rules({ allow: [rule('Mcp')] }) }), ['ask', 'default_gate', 'destructive']],

  ['11: asks every time', factsFor(write), ['ask', 'default_gate', 'default_gate']],
  ['11: unless proven', factsFor(executeScript({ defaultGate: 'unless_proven' }), { arguments: code, proven: true }), ['allow', 'default_gate', 'no_gate']],
  ['11: not proven', factsFor(executeScript({ defaultGate: 'unless_proven' }), { arguments: code }), ['ask', 'default_gate', 'default_gate']],
  ['11: nobody to ask', factsFor(write, { personCanAnswer: false }), ['deny', 'default_gate', 'nobody_to_ask']],

  ['an argument that cannot be bound', factsFor(read, { arguments: { path: '/w/\ud800' } }), ['deny', 'error', 'evaluation_failed']],
  ['facts that are no facts', {} as Facts, ['deny', 'feature_gate', 'feature_unreadable']],
  ['facts torn in the middle', { ...factsFor(read), principal: undefined } as unknown as Facts, ['deny', 'error', 'evaluation_failed']],
];

describe('decide', () => {
  it.each(rows)('%s', (_title, facts, [effect, step, reason]) => {
    const decision = decide(facts);
    expect([decision.effect, decision.step, decision.reasons[0]?.code]).toEqual([effect, step, reason]);
  });

  it('offers the mode that would admit the call only to a person who holds the permission', () => {
    expect(decide(factsFor(write, { mode: 'ask' }))).toMatchObject({ stepUp: { requiredMode: 'coworker' } });
    expect(decide(factsFor(write, { mode: 'ask', principal: { ...person, permissions: ['view_content'] } }))).not.toHaveProperty('stepUp');
  });

  it('tells a person every reason at once', () => {
    const decision = decide(
      factsFor(script, {
        arguments: code,
        config: configSnapshot({ requireApproval: ['execute_script'] }),
        inputs: [{ name: 'a', label: 'unknown' }],
        rules: rules({ ask: [rule('Bash')] }),
      }),
    );
    expect(decision.reasons.map((reason) => reason.code)).toEqual(['private_input_to_run', 'ask_rule', 'approval_required']);
  });

  it('names a promoted routing argument', () => {
    expect(decide(factsFor(read, privatePath))).toMatchObject({ effect: 'allow', promoted: ['path'] });
  });

  it('says what a write does to a trusted path', () => {
    const paths = [{ path: '/w/a.txt', access: 'write', trust: 'trusted', revision: 'r1' }] as const;
    const given = { arguments: { path: '/w/a.txt', contents: 'x' }, argumentLabels: { path: TRUSTED_PUBLIC, contents: UNTRUSTED_PUBLIC }, paths };
    expect(decide(factsFor(write, given)).reasons.map((reason) => reason.code)).toEqual(['default_gate', 'write_taints_path']);
  });
});

describe('what an approval is bound to', () => {
  const asked = (over: Partial<Facts>, manifest: ToolManifest = script) => {
    const decision = decide(factsFor(manifest, { arguments: code, config: configSnapshot({ requireApproval: ['execute_script'] }), ...over }));
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
    ['a trusted file', { paths: [{ path: '/w/a', access: 'read', trust: 'trusted', revision: '1' }], inputs: [{ name: 'a', label: TRUSTED_PRIVATE }] }, true],
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
