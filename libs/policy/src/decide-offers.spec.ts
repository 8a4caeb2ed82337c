/** What a decision offers beside its answer: a grant with the yes, a step up, output to be read; and which standing answers settle what. */
import type { Facts, ToolManifest } from './index.ts';
import { decide, TRUSTED_PRIVATE, TRUSTED_PUBLIC, UNTRUSTED_PRIVATE, UNTRUSTED_PUBLIC } from './index.ts';
import { configSnapshot, executeScript, factsFor, toolManifest } from './facts.fixture.ts';
import {
  code,
  decided,
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

const asked = (facts: Facts) => {
  const decision = decide(facts);
  if (decision.effect !== 'ask') throw new Error(`expected a question, got ${decision.effect}`);
  return decision;
};
const codes = (facts: Facts) => decide(facts).reasons.map((reason) => reason.code);
const gated = { defaultGate: 'every_time' } as const;
const asksRead = configSnapshot({ requireApproval: ['read_file'] });

describe('a grant that is offered with a question (D4)', () => {
  it.each<[string, Facts, object | undefined]>([
    ['a write', factsFor(write), { path: '/w/a.txt' }],
    ['a read', factsFor({ ...read, ...gated }), { path: '/w/a.txt' }],
    ['what the workspace asks about', factsFor(read, { config: asksRead }), { path: '/w/a.txt' }],
    ['something external', factsFor(fetchUrl), undefined],
    ['something destructive', factsFor(merge), undefined],
    ['words that only an exact rule answers', factsFor(write, privatePath), undefined],
    ['an ask rule', factsFor(write, { rules: rules({ ask: [rule('Edit')] }) }), undefined],
    ['a path that leads nowhere known', factsFor(write, { resolvedTargets: {} }), undefined],
  ])('%s', (_title, facts, scope) => {
    const { grantScope, effect } = asked(facts);
    expect({ effect, grantScope }).toEqual({ effect: 'ask', grantScope: scope });
    expect('grantScope' in asked(facts)).toBe(scope !== undefined);
  });
});

describe('what a standing answer settles', () => {
  const grants = [grant('write_file')];
  const allow = rules({ allow: [rule('Edit')] });
  const to = (trust: 'trusted' | 'unmentioned', access: 'read' | 'write' = 'write') =>
    [{ path: '/w/a.txt', access, trust, revision: '1' }] as const;
  const spoiled = {
    arguments: { path: '/w/a.txt', contents: 'x' },
    argumentLabels: { path: TRUSTED_PUBLIC, contents: UNTRUSTED_PUBLIC },
  };
  const open = { ...write, defaultGate: 'none' } as const;
  it.each<[string, Facts, ReturnType<typeof decided>]>([
    [
      'a grant: a read',
      factsFor({ ...read, ...gated }, { grants: [grant('read_file')] }),
      ['allow', 'standing_answers', 'grant'],
    ],
    [
      'a grant: a new path',
      factsFor(open, { paths: to('unmentioned'), grants }),
      ['allow', 'standing_answers', 'grant'],
    ],
    [
      'a rule: a new path',
      factsFor(open, { paths: to('unmentioned'), rules: allow }),
      ['allow', 'standing_answers', 'allow_rule'],
    ],
    [
      'a grant: a spoiled path',
      factsFor(open, { ...spoiled, paths: to('trusted'), grants }),
      ['allow', 'standing_answers', 'grant'],
    ],
    [
      'no grant: an ask rule beside the gate',
      factsFor(write, { grants, rules: rules({ ask: [rule('Edit')] }) }),
      ['ask', 'ask_rules', 'ask_rule'],
    ],
    [
      'no rule: an ask rule beside the gate',
      factsFor(write, { rules: rules({ ask: [rule('Edit')], allow: [rule('Edit')] }) }),
      ['ask', 'ask_rules', 'ask_rule'],
    ],
    [
      'no rule: something destructive that is required too',
      factsFor(merge, { config: configSnapshot({ requireApproval: ['merge_stream'] }), rules: allow }),
      ['ask', 'ask_rules', 'approval_required'],
    ],
    ['a grant before a rule', factsFor(write, { grants, rules: allow }), ['allow', 'standing_answers', 'grant']],
    [
      'nobody knows whether it is watched',
      factsFor(write, { watched: 'unknown' as never, rules: allow }),
      ['ask', 'default_gate', 'default_gate'],
    ],
    [
      'a gate nobody knows is shut',
      factsFor({ ...write, defaultGate: 'other' as never }),
      ['ask', 'default_gate', 'default_gate'],
    ],
    [
      'whether it leaves is not known',
      factsFor({ ...write, external: undefined as never }, { grants }),
      ['ask', 'default_gate', 'default_gate'],
    ],
  ])('%s', (_title, facts, expected) => {
    expect(decided(facts)).toEqual(expected);
  });

  it('of a path’s table may be given with the yes, as that of the gate', () => {
    expect(asked(factsFor(open, { paths: to('unmentioned') })).grantScope).toEqual({ path: '/w/a.txt' });
    expect(asked(factsFor(open, { ...spoiled, paths: to('trusted') })).grantScope).toEqual({ path: '/w/a.txt' });
  });

  it('is no grant where what the tool does is not known', () => {
    const facts = factsFor({ ...write, effect: 'other' as never }, { grants });
    expect(decided(facts)).toEqual(['ask', 'default_gate', 'default_gate']);
  });

  it('is the exact rule among others', () => {
    const exact = { ...rule('Edit(/w/a.txt)'), exact: true };
    const decision = decide(factsFor(write, { ...privatePath, rules: rules({ allow: [rule('Edit'), exact] }) }));
    expect(decision).toMatchObject({ effect: 'allow', rule: 'Edit(/w/a.txt)' });
  });

  it('asks nothing of a path that is only read, nor of one that stays what it was', () => {
    expect(codes(factsFor(read, { paths: to('unmentioned', 'read') }))).toEqual(['no_gate']);
    expect(codes(factsFor(open, { paths: to('trusted') }))).toEqual(['no_gate']);
    expect(codes(factsFor(open, { ...spoiled, paths: to('unmentioned') }))).toEqual(['write_new_path']);
  });

  it('says what a write carries by its content and its inputs, and not by the remark to the person', () => {
    const labelled = (labels: object, more: object = {}) =>
      codes(
        factsFor(open, {
          arguments: { path: '/w/a.txt', contents: 'x', why: 'y' },
          argumentLabels: { path: TRUSTED_PUBLIC, contents: TRUSTED_PUBLIC, why: TRUSTED_PUBLIC, ...labels },
          paths: to('trusted'),
          ...more,
        }),
      );
    expect(labelled({ why: UNTRUSTED_PUBLIC })).toEqual(['no_gate']);
    expect(labelled({}, { inputs: [{ name: 'a', label: UNTRUSTED_PRIVATE }] })).toEqual(['write_taints_path']);
  });
});

describe('private words that name where a call lands (D5)', () => {
  it.each<[string, ToolManifest, ReturnType<typeof decided>]>([
    ['a read that is not confined', toolManifest({ confined: false }), ['ask', 'routing_integrity', 'routing_private']],
    ['a read that leaves', toolManifest({ external: true }), ['ask', 'routing_integrity', 'routing_private']],
    [
      'a read of somebody else',
      toolManifest({ origin: 'foreign', upstream: { server: 'a', tool: 'b' } }),
      ['ask', 'routing_integrity', 'routing_private'],
    ],
  ])('%s', (_title, manifest, expected) => {
    expect(decided(factsFor(manifest, privatePath))).toEqual(expected);
  });

  const exact = { rules: rules({ allow: [{ ...rule('x'), exact: true }] }) };
  it('are answered by an exact rule where nothing leaves, and by a person where the tool is another provider’s', () => {
    expect(decided(factsFor(toolManifest({ confined: false }), { ...privatePath, ...exact }))[0]).toBe('allow');
    const theirs = toolManifest({ origin: 'foreign', upstream: { server: 'a', tool: 'b' } });
    expect(codes(factsFor(theirs, { ...privatePath, ...exact }))).toContain('routing_private');
  });

  it('are named only where they were let through', () => {
    expect(decide(factsFor(read))).toMatchObject({ promoted: [] });
    expect(decide(factsFor(write, privatePath))).toMatchObject({ promoted: [] });
  });
});

describe('what always asks', () => {
  it('is private data for a foreign tool, in an input, in words or in the remark', () => {
    const given = { path: 'x', why: 'y' };
    const told = (over: Partial<Facts>) => codes(factsFor(foreign, over)).includes('private_data_to_foreign_tool');
    expect(told({})).toBe(false);
    expect(told({ inputs: [{ name: 'a', label: TRUSTED_PUBLIC }] })).toBe(false);
    expect(told({ inputs: [{ name: 'a', label: TRUSTED_PRIVATE }] })).toBe(true);
    expect(told({ arguments: given, argumentLabels: { path: TRUSTED_PUBLIC, why: TRUSTED_PRIVATE } })).toBe(true);
  });

  it('is no private input of a tool of ours that runs nothing, and no public one of a program', () => {
    expect(codes(factsFor(write, { inputs: [{ name: 'a', label: TRUSTED_PRIVATE }] }))).toEqual(['default_gate']);
    expect(codes(factsFor(script, { arguments: code, inputs: [{ name: 'a', label: TRUSTED_PUBLIC }] }))).toEqual([
      'no_gate',
    ]);
  });
});

describe('output that may be offered to be read (D1)', () => {
  const run = executeScript(gated);
  it.each<[string, Facts, boolean]>([
    ['of a program', factsFor(run, { arguments: code }), true],
    ['of a tool that runs no code', factsFor({ ...run, runsCode: false }, { arguments: code }), false],
    ['of a tool whose label is fixed', factsFor({ ...run, resultLabel: read.resultLabel }, { arguments: code }), false],
    [
      'beside a path that is only written',
      factsFor(run, {
        arguments: code,
        paths: [{ path: '/w/a', access: 'write', trust: 'untrusted', revision: null }],
      }),
      true,
    ],
    [
      'with one trusted input and one that is none',
      factsFor(run, {
        arguments: code,
        inputs: [
          { name: 'a', label: TRUSTED_PUBLIC },
          { name: 'b', label: UNTRUSTED_PUBLIC },
        ],
      }),
      false,
    ],
    [
      'with a remark of any label',
      factsFor(run, {
        arguments: { ...code, why: 'x' },
        argumentLabels: { language: TRUSTED_PUBLIC, code: TRUSTED_PUBLIC, why: UNTRUSTED_PUBLIC },
      }),
      true,
    ],
    [
      'with untrusted words',
      factsFor(
        { ...run, arguments: { ...run.arguments, stdin: { class: 'content' } } },
        {
          arguments: { ...code, stdin: 'x' },
          argumentLabels: { language: TRUSTED_PUBLIC, code: TRUSTED_PUBLIC, stdin: UNTRUSTED_PUBLIC },
        },
      ),
      false,
    ],
  ])('%s', (_title, facts, offered) => {
    expect(asked(facts).trustOutputOffered).toBe(offered);
  });

  it('goes on with the label of its tool', () => {
    expect(asked(factsFor(run, { arguments: code })).resultLabel).toEqual({ kind: 'program_output' });
    expect(decide(factsFor(read))).toMatchObject({ resultLabel: read.resultLabel });
  });
});

describe('a step up that is offered (step 4)', () => {
  const stepUp = (facts: Facts) => {
    const decision = decide(facts);
    return decision.effect === 'deny' ? decision.stepUp : 'not denied';
  };
  it('is to the mode that admits the call, with the scope of a grant for exactly it', () => {
    expect(stepUp(factsFor(write, { mode: 'ask' }))).toEqual({
      requiredMode: 'coworker',
      grantScope: { path: '/w/a.txt' },
    });
    expect(stepUp(factsFor(write, { mode: 'ask', resolvedTargets: {} }))).toStrictEqual({ requiredMode: 'coworker' });
  });

  it('is none where the tool is not there either, where the mode is that one, or permissions are unknown', () => {
    expect(stepUp(factsFor({ ...write, modes: ['ask'] }, { mode: 'ask' }))).toBeUndefined();
    expect(stepUp(factsFor({ ...write, modes: ['voice'] }, { mode: 'coworker' }))).toBeUndefined();
    expect(stepUp(factsFor(write, { mode: 'ask', principal: { ...person, permissions: 'unknown' } }))).toBeUndefined();
  });

  it('is not taken by a tool that has the mode and an effect that has not, nor the other way round', () => {
    expect(codes(factsFor({ ...write, modes: ['ask', 'coworker'] }, { mode: 'ask' }))).toEqual(['mode_too_low']);
    expect(codes(factsFor({ ...read, modes: ['coworker'] }, { mode: 'ask' }))).toEqual(['mode_too_low']);
    expect(codes(factsFor(write, { mode: 'ask', grants: 'unknown' }))).toEqual(['mode_too_low']);
  });
});

describe('what a fallen context may still do (step 7)', () => {
  const bare = { arguments: {}, context: fallen } as const;
  it.each<[string, ToolManifest, object, boolean]>([
    ['a read that names nothing', read, {}, true],
    ['a read with content', read, { arguments: { contents: 'x' } }, true],
    ['a write', write, {}, false],
    ['a read that leaves', toolManifest({ external: true }), {}, false],
    ['a delegate', toolManifest({ starts: 'agent' as never }), {}, false],
    ['a reference', read, { arguments: { ref: 'ref:1' } }, false],
    ['an argument without a class', foreign, { arguments: { unheard: 'x' } }, false],
  ])('%s', (_title, manifest, over, may) => {
    expect(codes(factsFor(manifest, { ...bare, ...over })).includes('context_fallen')).toBe(!may);
  });

  it('refuses an argument of a foreign tool that nobody declared unless trusted words said it, and takes it then', () => {
    const given = { path: 'x', unheard: 'y' };
    expect(codes(factsFor({ ...foreign, defaultGate: 'none' }, { arguments: given }))).toEqual(['no_gate']);
    const argumentLabels = { path: TRUSTED_PUBLIC, unheard: UNTRUSTED_PUBLIC };
    expect(codes(factsFor(foreign, { arguments: given, argumentLabels }))).toEqual(['routing_untrusted']);
  });

  it('is not offered a tool unless that is known, nor bound to a conversation without a name', () => {
    const tool = { kind: 'known', manifest: read, offered: 'unknown' as never } as const;
    expect(codes(factsFor(read, { tool }))).toEqual(['tool_not_offered']);
    expect(codes(factsFor(read, { principal: { ...person, conversationId: '' } }))).toEqual(['conversation_unbound']);
    expect(codes(factsFor(read, { config: configSnapshot({ enabled: 'yes' as never }) }))).toEqual(['bravo_disabled']);
  });
});
