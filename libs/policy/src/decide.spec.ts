import type { Facts } from './index.ts';
import { decide, TRUSTED_PUBLIC, UNTRUSTED_PRIVATE, UNTRUSTED_PUBLIC } from './index.ts';
import { configSnapshot, factsFor, NOW } from './facts.fixture.ts';
import {
  type Row,
  code,
  decided,
  fallen,
  grant,
  person,
  question,
  read,
  rule,
  rules,
  script,
  write,
} from './calls.fixture.ts';

const rows: Row[] = [
  ['a plain read passes', factsFor(read), ['allow', 'default_gate', 'no_gate']],

  ['1: feature off', factsFor(read, { feature: 'off' }), ['deny', 'feature_gate', 'feature_off']],
  ['1: feature unreadable', factsFor(read, { feature: 'unknown' }), ['deny', 'feature_gate', 'feature_unreadable']],
  ['1: no configuration', factsFor(read, { config: 'unknown' }), ['deny', 'feature_gate', 'config_unreadable']],
  [
    '1: disabled',
    factsFor(read, { config: configSnapshot({ enabled: false }) }),
    ['deny', 'feature_gate', 'bravo_disabled'],
  ],

  [
    '2: unknown tool',
    factsFor(read, { tool: { kind: 'unknown', name: 'x' } }),
    ['deny', 'tool_offered', 'tool_unknown'],
  ],
  [
    '2: not offered',
    factsFor(read, { tool: { kind: 'known', manifest: read, offered: false } }),
    ['deny', 'tool_offered', 'tool_not_offered'],
  ],
  [
    '2: unbound token',
    factsFor(read, { principal: { ...person, conversationId: undefined } }),
    ['deny', 'tool_offered', 'conversation_unbound'],
  ],
  [
    '2: a stray argument',
    factsFor(read, { arguments: { path: '/w/a', approved: true } }),
    ['deny', 'tool_offered', 'argument_unclassified'],
  ],

  [
    '3: denied',
    factsFor(read, { config: configSnapshot({ deniedTools: ['read_file'] }) }),
    ['deny', 'tool_lists', 'tool_denied'],
  ],
  [
    '3: denied though allowed',
    factsFor(read, { config: configSnapshot({ deniedTools: ['read_file'], allowedTools: ['read_file'] }) }),
    ['deny', 'tool_lists', 'tool_denied'],
  ],
  [
    '3: not among the allowed',
    factsFor(read, { config: configSnapshot({ allowedTools: ['search'] }) }),
    ['deny', 'tool_lists', 'tool_not_allowed'],
  ],
  [
    '3: code execution off',
    factsFor(script, { arguments: code, config: configSnapshot({ codeExecEnabled: false }) }),
    ['deny', 'tool_lists', 'code_execution_off'],
  ],

  ['4: unreadable mode', factsFor(read, { mode: 'unknown' }), ['deny', 'mode_ceiling', 'mode_unreadable']],
  ['4: a write in ask mode', factsFor(write, { mode: 'ask' }), ['deny', 'mode_ceiling', 'mode_too_low']],
  [
    '4: a grant raises the mode and answers',
    factsFor(write, { mode: 'ask', grants: [grant('write_file')] }),
    ['allow', 'standing_answers', 'grant'],
  ],
  [
    '4: a grant for another path does not',
    factsFor(write, { mode: 'ask', grants: [grant('write_file', { path: '/w/b' })] }),
    ['deny', 'mode_ceiling', 'mode_too_low'],
  ],
  [
    '4: an expired grant does not',
    factsFor(write, { mode: 'ask', grants: [grant('write_file', undefined, NOW)] }),
    ['deny', 'mode_ceiling', 'mode_too_low'],
  ],
  [
    '4: a grant of no scope means nothing',
    factsFor(write, { mode: 'ask', grants: [{ ...grant('write_file'), scope: {} }] }),
    ['deny', 'mode_ceiling', 'mode_too_low'],
  ],

  [
    '4: a grant stands in for no mode',
    factsFor(write, { mode: undefined as never, grants: [grant('write_file')] }),
    ['deny', 'mode_ceiling', 'mode_unreadable'],
  ],
  [
    '5: permission missing',
    factsFor(write, { principal: { ...person, permissions: ['view_content'] } }),
    ['deny', 'own_permission', 'permission_missing'],
  ],
  [
    '5: a grant never goes above it',
    factsFor(write, { principal: { ...person, permissions: [] }, grants: [grant('write_file')] }),
    ['deny', 'own_permission', 'permission_missing'],
  ],
  [
    '5: permissions unreadable',
    factsFor(read, { principal: { ...person, permissions: 'unknown' } }),
    ['deny', 'own_permission', 'permissions_unreadable'],
  ],

  [
    '6: deny rule',
    factsFor(read, { rules: rules({ deny: [rule('Read(/w/**)')], allow: [rule('Read')] }) }),
    ['deny', 'deny_rules', 'deny_rule'],
  ],
  ['6: rules unreadable', factsFor(read, { rules: 'unknown' }), ['deny', 'deny_rules', 'rules_unreadable']],

  [
    '7: untrusted routing',
    factsFor(read, { argumentLabels: { path: UNTRUSTED_PUBLIC } }),
    ['deny', 'routing_integrity', 'routing_untrusted'],
  ],
  [
    '7: routing without a label',
    factsFor(read, { argumentLabels: {} }),
    ['deny', 'routing_integrity', 'routing_untrusted'],
  ],
  [
    '7: untrusted content is fine',
    factsFor(write, {
      arguments: { path: '/w/a', contents: 'x' },
      argumentLabels: { path: TRUSTED_PUBLIC, contents: UNTRUSTED_PRIVATE },
    }),
    ['ask', 'default_gate', 'default_gate'],
  ],
  [
    '7: a fallen context names no path',
    factsFor(read, { context: fallen }),
    ['deny', 'routing_integrity', 'context_fallen'],
  ],
  [
    '7: a fallen context names no reference',
    factsFor(read, { context: fallen, arguments: { ref: 'ref:1' } }),
    ['deny', 'routing_integrity', 'context_fallen'],
  ],
  [
    '7: a fallen context asks no question',
    factsFor(question, { context: fallen, arguments: { text: 'ok?' } }),
    ['deny', 'routing_integrity', 'context_fallen'],
  ],
  [
    '7: a fallen context may read what names nothing',
    factsFor(read, { context: fallen, arguments: {} }),
    ['allow', 'default_gate', 'no_gate'],
  ],
  [
    '7: context unreadable',
    factsFor(read, { context: 'unknown' }),
    ['deny', 'routing_integrity', 'context_unreadable'],
  ],
  [
    '7: trust of a path unreadable',
    factsFor(read, { paths: [{ path: '/w/a', access: 'read', trust: 'unknown', revision: '1' }] }),
    ['deny', 'routing_integrity', 'facts_unreadable'],
  ],
  [
    '7: revision unreadable',
    factsFor(read, { paths: [{ path: '/w/a', access: 'read', trust: 'trusted', revision: 'unknown' }] }),
    ['deny', 'routing_integrity', 'facts_unreadable'],
  ],

  [
    'an argument that cannot be bound',
    factsFor(read, { arguments: { path: '/w/\ud800' } }),
    ['deny', 'error', 'evaluation_failed'],
  ],
  ['facts that are no facts', {} as Facts, ['deny', 'feature_gate', 'feature_unreadable']],
  [
    'facts torn in the middle',
    { ...factsFor(read), principal: undefined } as unknown as Facts,
    ['deny', 'error', 'evaluation_failed'],
  ],
];

describe('what decide refuses [authority.mode] [authority.now] [authority.config] [hostile.refused]', () => {
  it.each(rows)('%s', (_title, facts, expected) => {
    expect(decided(facts)).toEqual(expected);
  });

  it('offers the mode that would admit the call only to a person who holds the permission', () => {
    expect(decide(factsFor(write, { mode: 'ask' }))).toMatchObject({ stepUp: { requiredMode: 'coworker' } });
    expect(
      decide(factsFor(write, { mode: 'ask', principal: { ...person, permissions: ['view_content'] } })),
    ).not.toHaveProperty('stepUp');
  });
});
