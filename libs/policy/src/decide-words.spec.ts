/** What a person or an agent reads of a decision: a sentence for every reason, and in it the name of what decided. */
import type { Facts } from './index.ts';
import { decide, TRUSTED_PRIVATE, TRUSTED_PUBLIC, UNTRUSTED_PUBLIC } from './index.ts';
import { configSnapshot, factsFor, toolManifest } from './facts.fixture.ts';
import {
  code,
  fallen,
  fetchUrl,
  foreign,
  grant,
  merge,
  person,
  privatePath,
  read,
  rule,
  rules,
  script,
  write,
} from './calls.fixture.ts';

const path = (access: 'read' | 'write', trust: 'trusted' | 'unmentioned') =>
  [{ path: '/w/a.txt', access, trust, revision: '1' }] as const;
const contents = {
  arguments: { path: '/w/a.txt', contents: 'x' },
  argumentLabels: { path: TRUSTED_PUBLIC, contents: UNTRUSTED_PUBLIC },
};

const told: [facts: Facts, text: string | RegExp][] = [
  [factsFor(read, { feature: 'off' }), /^Bravo is not switched on/],
  [factsFor(read, { feature: 'unknown' }), /could not be read\.$/],
  [factsFor(read, { config: 'unknown' }), /^The agent configuration could not be read\.$/],
  [factsFor(read, { config: configSnapshot({ enabled: false }) }), /^An administrator has disabled Bravo/],
  [factsFor(read, { tool: { kind: 'unknown', name: 'x' } }), /^There is no tool/],
  [
    factsFor(read, { tool: { kind: 'known', manifest: read, offered: false } }),
    'The tool read_file is not offered here.',
  ],
  [factsFor(read, { principal: { ...person, conversationId: undefined } }), /bound to no conversation/],
  [factsFor(read, { arguments: { approved: true } }), 'The tool read_file was given an argument it does not take.'],
  [factsFor(read, { mode: 'unknown' }), /^The mode of the conversation could not be read\.$/],
  [factsFor(write, { mode: 'ask' }), 'The tool write_file is out of reach in ask mode.'],
  [factsFor(read, { principal: { ...person, permissions: 'unknown' } }), /^Your permissions could not be read\.$/],
  [
    factsFor(write, { principal: { ...person, permissions: [] } }),
    'The tool write_file needs the permission manage_files, which you do not hold.',
  ],
  [factsFor(read, { rules: 'unknown' }), /^The permission rules could not be read\.$/],
  [factsFor(read, { rules: rules({ deny: [rule('Read(/w/**)')] }) }), 'The user rule "Read(/w/**)" denies this call.'],
  [factsFor(read, { context: 'unknown' }), /shown so far could not be read\.$/],
  [factsFor(read, { context: fallen }), /^The agent was shown untrusted text/],
  [
    factsFor(read, { argumentLabels: {} }),
    'The argument "path" decides where the call lands and does not come from trusted words.',
  ],
  [factsFor(write, privatePath), 'The agent has seen private content and now names "path". Check the exact value.'],
  [factsFor(fetchUrl, privatePath), /now names "path" of a call that leaves the platform\. Check/],
  [
    factsFor(script, { arguments: code, inputs: [{ name: 'a', label: TRUSTED_PRIVATE }] }),
    /^Private files or references go into this program\.$/,
  ],
  [
    factsFor(toolManifest({ origin: 'foreign', effect: 'write' }), privatePath),
    /now names "path" of a call that leaves the platform\. Check/,
  ],
  [
    factsFor(foreign, { inputs: [{ name: 'a', label: TRUSTED_PRIVATE }] }),
    /^Private content would be sent to a tool of another provider\.$/,
  ],
  [factsFor(write, { writesThroughReference: true }), /has not seen what is behind it/],
  [
    factsFor(write, {
      credentials: [1, 2, 3, 4].map((line) => ({ at: 'given', kind: 'a key', place: `line ${line}`, declared: true })),
    }),
    /^The call holds a key \(line 1\), a key \(line 2\), a key \(line 3\) and 1 more\. A credential is not written/,
  ],
  [
    factsFor(write, { credentials: [{ at: 'given', kind: 'a secret', place: 'code, line 1', declared: false }] }),
    /^The call holds a secret \(code, line 1\), or what looks like it/,
  ],
  [
    factsFor(write, { credentials: [{ at: 'shown', kind: 'a key', place: 'line 1', declared: true }] }),
    /^What the agent would read holds a key \(line 1\)\. Your yes/,
  ],
  [factsFor(write, { assignsEnvironment: true }), /^The line sets environment variables/],
  [factsFor(read, { rules: rules({ ask: [rule('Read')] }) }), 'The user rule "Read" asks before this call.'],
  [
    factsFor(read, { config: configSnapshot({ requireApproval: ['read_file'] }) }),
    'This workspace asks a person before every read_file.',
  ],
  [factsFor(merge), 'Read a file cannot be undone, so a person confirms it each time.'],
  [factsFor(write), 'Read a file is asked about unless you have said otherwise.'],
  [
    factsFor({ ...write, defaultGate: 'none' }, { ...contents, paths: path('write', 'trusted') }),
    /^Untrusted content would replace/,
  ],
  [
    factsFor({ ...write, defaultGate: 'none' }, { paths: path('write', 'unmentioned') }),
    /^The file is new to this conversation/,
  ],
  [factsFor(read), 'Read a file needs no answer here.'],
  [factsFor(write, { grants: [grant('write_file')] }), 'A grant of this conversation covers write_file here.'],
  [factsFor(write, { rules: rules({ allow: [rule('Edit')] }) }), 'The user rule "Edit" allows this call.'],
  [factsFor(write, { personCanAnswer: false }), 'A person must decide this call and nobody can be asked here.'],
  [factsFor(read, { arguments: { path: '\ud800' } }), /^The call cannot be bound to an answer: it holds .+\.$/],
  [{ ...factsFor(read), principal: undefined } as unknown as Facts, 'The call could not be judged, so it is refused.'],
];

describe('what is told of a decision', () => {
  // Nothing is decided while the table is made: what runs while a file is loaded cannot be told apart by test.
  it.each(told.map(([facts, text]) => [String(text), facts, text] as const))('%s', (_title, facts, text) => {
    const said = decide(facts).reasons[0]?.text;
    if (typeof text === 'string') expect(said).toBe(text);
    else expect(said).toMatch(text);
  });

  it('names every private word', () => {
    const given = { language: 'python', code: 'x' };
    const argumentLabels = { language: TRUSTED_PRIVATE, code: TRUSTED_PRIVATE };
    expect(decide(factsFor(script, { arguments: given, argumentLabels })).reasons[0]?.text).toMatch(
      /names "language", "code"\. Check/,
    );
  });

  it('names the rule that decided, and none where none did', () => {
    const deny = rules({ deny: [rule('Read(/w/**)')] });
    expect(decide(factsFor(read, { rules: deny }))).toHaveProperty('rule', 'Read(/w/**)');
    const ask = { rules: rules({ ask: [rule('Read')] }) };
    expect(decide(factsFor(read, ask))).toMatchObject({ effect: 'ask', rule: 'Read' });
    expect(decide(factsFor(read, { ...ask, personCanAnswer: false }))).toMatchObject({ effect: 'deny', rule: 'Read' });
    expect(decide(factsFor(write))).not.toHaveProperty('rule');
    expect(decide(factsFor(write, { personCanAnswer: false }))).not.toHaveProperty('rule');
    expect(decide(factsFor(write, { grants: [grant('write_file')] }))).toHaveProperty('rule', 'grt_1');
  });

  it('tells nobody who could be asked what would have been asked', () => {
    const { reasons } = decide(factsFor(write, { ...privatePath, personCanAnswer: false }));
    expect(reasons.map((reason) => reason.code)).toEqual(['nobody_to_ask', 'routing_private', 'default_gate']);
  });
});
