import { decide, TRUSTED_PRIVATE, TRUSTED_PUBLIC, UNTRUSTED_PUBLIC } from './index.ts';
import { configSnapshot, executeScript, factsFor, toolManifest } from './facts.fixture.ts';
import {
  type Row,
  code,
  decided,
  fetchUrl,
  foreign,
  grant,
  merge,
  privatePath,
  read,
  rule,
  rules,
  script,
  write,
} from './calls.fixture.ts';

const credential = (over: object = {}) => ({
  credentials: [{ at: 'given', kind: 'an OpenAI key', place: 'contents, line 3', declared: true, ...over }] as never,
});

const rows: Row[] = [
  [
    'a credential that says what it is is not written, whatever allows it [credentials.written]',
    factsFor(write, { ...credential(), rules: rules({ allow: [rule('Edit')] }), grants: [grant('write_file')] }),
    ['deny', 'deny_rules', 'credential_declared'],
  ],
  [
    'what looks like a credential is asked about, whatever allows it',
    factsFor(write, { ...credential({ declared: false }), rules: rules({ allow: [rule('Edit')] }) }),
    ['ask', 'always_ask', 'credential_given'],
  ],
  [
    'a credential that a read would show is asked about, whatever allows it [credentials.read]',
    factsFor(read, {
      ...credential({ at: 'shown' }),
      rules: rules({ allow: [rule('Read')] }),
      grants: [grant('read_file')],
    }),
    ['ask', 'always_ask', 'credential_shown'],
  ],
  [
    'a credential that a read would show, with nobody to ask, is not shown',
    factsFor(read, { ...credential({ at: 'shown' }), personCanAnswer: false }),
    ['deny', 'always_ask', 'nobody_to_ask'],
  ],
  ['D5: a confined read is promoted', factsFor(read, privatePath), ['allow', 'default_gate', 'no_gate']],
  ['D5: a write is endorsed', factsFor(write, privatePath), ['ask', 'routing_integrity', 'routing_private']],
  [
    'D5: no grant endorses it',
    factsFor(write, { ...privatePath, grants: [grant('write_file')] }),
    ['ask', 'routing_integrity', 'routing_private'],
  ],
  [
    'D5: an allow rule does not either',
    factsFor(write, { ...privatePath, rules: rules({ allow: [rule('Edit')] }) }),
    ['ask', 'routing_integrity', 'routing_private'],
  ],
  [
    'D5: the exact remembered line does',
    factsFor(write, { ...privatePath, rules: rules({ allow: [{ ...rule('Edit(/w/a.txt)'), exact: true }] }) }),
    ['allow', 'standing_answers', 'allow_rule'],
  ],
  [
    'D5: not where the call leaves',
    factsFor(fetchUrl, { ...privatePath, rules: rules({ allow: [{ ...rule('WebFetch(x)'), exact: true }] }) }),
    ['ask', 'routing_integrity', 'routing_private'],
  ],
  [
    'D5: nor where it goes to somebody else, though it stays in the house',
    factsFor(toolManifest({ origin: 'foreign', effect: 'write' }), {
      ...privatePath,
      rules: rules({ allow: [{ ...rule('Mcp'), exact: true }] }),
    }),
    ['ask', 'routing_integrity', 'routing_private'],
  ],

  [
    '8: private input to a run',
    factsFor(script, {
      arguments: code,
      inputs: [{ name: 'a', label: TRUSTED_PRIVATE }],
      rules: rules({ allow: [{ ...rule('Bash'), exact: true }] }),
    }),
    ['ask', 'always_ask', 'private_input_to_run'],
  ],
  [
    '8: private data to a foreign tool',
    factsFor(foreign, {
      argumentLabels: { path: TRUSTED_PUBLIC, contents: TRUSTED_PRIVATE },
      arguments: { path: 'x', contents: 'y' },
      rules: rules({ allow: [rule('Mcp')] }),
    }),
    ['ask', 'always_ask', 'private_data_to_foreign_tool'],
  ],
  [
    '8: a write through a reference',
    factsFor(write, { writesThroughReference: true, grants: [grant('write_file')] }),
    ['ask', 'always_ask', 'write_through_reference'],
  ],
  [
    '8: an environment assignment',
    factsFor(script, { arguments: code, assignsEnvironment: true, rules: rules({ allow: [rule('Bash')] }) }),
    ['ask', 'always_ask', 'environment_assignment'],
  ],
  [
    '8: inputs unreadable',
    factsFor(script, { arguments: code, inputs: 'unknown' }),
    ['deny', 'always_ask', 'facts_unreadable'],
  ],

  [
    '9: an ask rule',
    factsFor(read, { rules: rules({ ask: [rule('Read')], allow: [rule('Read')] }), grants: [grant('read_file')] }),
    ['ask', 'ask_rules', 'ask_rule'],
  ],
  [
    '9: approval required',
    factsFor(script, { arguments: code, config: configSnapshot({ requireApproval: ['execute_script'] }) }),
    ['ask', 'ask_rules', 'approval_required'],
  ],

  [
    '10: a grant answers approval required',
    factsFor(write, { config: configSnapshot({ requireApproval: ['write_file'] }), grants: [grant('write_file')] }),
    ['allow', 'standing_answers', 'grant'],
  ],
  [
    '10: an allow rule answers the default',
    factsFor(fetchUrl, { rules: rules({ allow: [rule('WebFetch(domain:x)')] }) }),
    ['allow', 'standing_answers', 'allow_rule'],
  ],
  [
    '10: nobody watching ignores allow rules',
    factsFor(fetchUrl, { watched: false, rules: rules({ allow: [rule('WebFetch(domain:x)')] }) }),
    ['ask', 'default_gate', 'default_gate'],
  ],
  [
    '10: a grant never answers something external',
    factsFor(fetchUrl, { grants: [grant('fetch_url')] }),
    ['ask', 'default_gate', 'default_gate'],
  ],
  [
    '10: nothing answers something destructive',
    factsFor(merge, { grants: [grant('merge_stream')], rules: rules({ allow: [rule('Mcp')] }) }),
    ['ask', 'default_gate', 'destructive'],
  ],

  ['11: asks every time', factsFor(write), ['ask', 'default_gate', 'default_gate']],
  [
    '11: unless proven',
    factsFor(executeScript({ defaultGate: 'unless_proven' }), { arguments: code, proven: true }),
    ['allow', 'default_gate', 'no_gate'],
  ],
  [
    '11: not proven',
    factsFor(executeScript({ defaultGate: 'unless_proven' }), { arguments: code }),
    ['ask', 'default_gate', 'default_gate'],
  ],
  ['11: nobody to ask', factsFor(write, { personCanAnswer: false }), ['deny', 'default_gate', 'nobody_to_ask']],
];

describe('what decide asks a person', () => {
  it.each(rows)('%s', (_title, facts, expected) => {
    expect(decided(facts)).toEqual(expected);
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
    expect(decision.reasons.map((reason) => reason.code)).toEqual([
      'private_input_to_run',
      'ask_rule',
      'approval_required',
    ]);
  });

  it('names a promoted routing argument', () => {
    expect(decide(factsFor(read, privatePath))).toMatchObject({ effect: 'allow', promoted: ['path'] });
  });

  it('says what a write does to a trusted path', () => {
    const paths = [{ path: '/w/a.txt', access: 'write', trust: 'trusted', revision: 'r1' }] as const;
    const given = {
      arguments: { path: '/w/a.txt', contents: 'x' },
      argumentLabels: { path: TRUSTED_PUBLIC, contents: UNTRUSTED_PUBLIC },
      paths,
    };
    expect(decide(factsFor(write, given)).reasons.map((reason) => reason.code)).toEqual([
      'default_gate',
      'write_taints_path',
    ]);
  });
});
