import fc from 'fast-check';
import type { Decision, Facts, Label, ToolManifest } from './index.ts';
import { checkManifest, decide, PERMISSIONS } from './index.ts';
import { configSnapshot, factsFor, NOW, toolManifest } from './facts.fixture.ts';

const label: fc.Arbitrary<Label> = fc.record({
  integrity: fc.constantFrom('trusted', 'untrusted'),
  confidentiality: fc.constantFrom('public', 'private'),
});
const hit = fc.record({
  rule: fc.constantFrom('Read', 'Bash(x)'),
  layer: fc.constantFrom('platform', 'user'),
  exact: fc.boolean(),
});
const hits = fc.array(hit, { maxLength: 1 });
const rare = fc.integer({ min: 0, max: 9 }).map((n) => n === 0);

const manifest: fc.Arbitrary<ToolManifest> = fc
  .record({
    effect: fc.constantFrom('read', 'write', 'destructive'),
    external: fc.boolean(),
    confined: fc.boolean(),
    runsCode: fc.boolean(),
    origin: fc.constantFrom('first_party', 'foreign'),
    starts: fc.constantFrom('nothing', 'question', 'delegate'),
    defaultGate: fc.constantFrom('none', 'every_time', 'unless_proven'),
    permission: fc.constantFrom('view_content', 'manage_files', 'manage_voice'),
  })
  .map((over) => toolManifest({ name: 'tool', ...over } as Partial<ToolManifest>));

const facts: fc.Arbitrary<Facts> = fc
  .record({
    manifest,
    pathLabel: label,
    contentsLabel: label,
    given: fc.subarray(['path', 'contents', 'ref', 'why']),
    mode: fc.constantFrom('ask', 'coworker', 'voice'),
    context: fc.record({ integrity: fc.constantFrom('trusted', 'untrusted'), holdsPrivate: fc.boolean() }),
    permissions: fc.subarray([...PERMISSIONS]).map((some) => ['view_content', 'manage_files', ...some]),
    paths: fc.array(
      fc.record({
        path: fc.constantFrom('/w/a', '/w/b'),
        access: fc.constantFrom('read', 'write'),
        trust: fc.constantFrom('trusted', 'untrusted', 'unmentioned'),
        revision: fc.constantFrom('1', null),
      }),
      { maxLength: 2 },
    ),
    inputs: fc.array(fc.record({ name: fc.constant('in'), label }), { maxLength: 1 }),
    writesThroughReference: rare,
    assignsEnvironment: rare,
    proven: fc.boolean(),
    rules: fc.record({ deny: fc.constant([]), ask: hits, allow: hits }),
    granted: fc.boolean(),
    required: fc.boolean(),
    watched: fc.boolean(),
    personCanAnswer: fc.boolean(),
  })
  .map(({ manifest: tool, pathLabel, contentsLabel, given, permissions, granted, required, ...rest }) => {
    const call = Object.fromEntries(given.map((name) => [name, 'v']));
    return factsFor(tool, {
      ...rest,
      arguments: call,
      argumentLabels: { path: pathLabel, contents: contentsLabel, ref: contentsLabel, why: contentsLabel },
      principal: { userId: 'usr_1', conversationId: 'cnv_1', permissions },
      grants: granted ? [{ id: 'grt_1', tool: 'tool', scope: { path: 'v' }, expiresAt: NOW + 1 }] : [],
      config: configSnapshot({ requireApproval: required ? ['tool'] : [] }),
    } as Partial<Facts>);
  });

const RANK = { deny: 0, ask: 1, allow: 2 } as const;
const rank = (decision: Decision): number => RANK[decision.effect];

/** Every place of the facts that can say it was not read. */
const UNKNOWABLE = [
  'feature',
  'config',
  'mode',
  'context',
  'paths',
  'inputs',
  'writesThroughReference',
  'assignsEnvironment',
  'proven',
  'rules',
  'grants',
] as const satisfies readonly (keyof Facts)[];

describe('decide, of any facts', () => {
  it('reaches every effect with these generators', () => {
    const seen = new Set(fc.sample(facts, 500).map((some) => decide(some).effect));
    expect([...seen].sort()).toEqual(['allow', 'ask', 'deny']);
  });

  it('is deterministic and leaves its input alone', () => {
    fc.assert(
      fc.property(facts, (some) => {
        const before = JSON.stringify(some);
        expect(decide(some)).toEqual(decide(some));
        expect(JSON.stringify(some)).toBe(before);
      }),
    );
  });

  it('never throws, whatever it is given, and allows no garbage [policy.total]', () => {
    fc.assert(fc.property(fc.anything(), (garbage) => decide(garbage as Facts).effect === 'deny'));
  });

  it('denies when any one fact is unknown or missing', () => {
    fc.assert(
      fc.property(facts, fc.constantFrom(...UNKNOWABLE), fc.constantFrom('unknown', undefined), (some, name, hole) => {
        expect(decide({ ...some, [name]: hole } as Facts).effect).toBe('deny');
      }),
      { numRuns: 2_000 },
    );
  });

  it('denies when permissions, a path or its revision is unknown', () => {
    const path = { path: '/w/z', access: 'read', trust: 'trusted', revision: '1' } as const;
    fc.assert(
      fc.property(facts, (some) => {
        expect(decide({ ...some, principal: { ...some.principal, permissions: 'unknown' } }).effect).toBe('deny');
        expect(decide({ ...some, paths: [{ ...path, trust: 'unknown' }] }).effect).toBe('deny');
        expect(decide({ ...some, paths: [{ ...path, revision: 'unknown' }] }).effect).toBe('deny');
      }),
    );
  });

  it('never allows more once integrity has fallen', () => {
    fc.assert(
      fc.property(facts, (some) => {
        const context = {
          integrity: 'untrusted',
          holdsPrivate: some.context !== 'unknown' && some.context.holdsPrivate,
        } as const;
        expect(rank(decide({ ...some, context }))).toBeLessThanOrEqual(rank(decide(some)));
      }),
      { numRuns: 500 },
    );
  });

  it('never allows more for a worse label of an argument or an input', () => {
    const worse = (from: Label): Label => ({ ...from, integrity: 'untrusted', confidentiality: 'private' });
    fc.assert(
      fc.property(facts, fc.constantFrom('path', 'contents', 'ref', 'why'), (some, name) => {
        const argumentLabels = { ...some.argumentLabels, [name]: worse(some.argumentLabels[name] as Label) };
        expect(rank(decide({ ...some, argumentLabels }))).toBeLessThanOrEqual(rank(decide(some)));
        const inputs =
          some.inputs === 'unknown' ? [] : some.inputs.map((input) => ({ ...input, label: 'unknown' as const }));
        expect(rank(decide({ ...some, inputs }))).toBeLessThanOrEqual(rank(decide(some)));
      }),
      { numRuns: 500 },
    );
  });

  it('never lets a deny rule, a denied tool or a closed gate pass', () => {
    fc.assert(
      fc.property(facts, (some) => {
        if (some.rules === 'unknown') return;
        const deny = [{ rule: 'Read', layer: 'user' as const }];
        expect(decide({ ...some, rules: { ...some.rules, deny } }).effect).toBe('deny');
        expect(decide({ ...some, config: configSnapshot({ deniedTools: ['tool'] }) }).effect).toBe('deny');
        expect(decide({ ...some, feature: 'off' }).effect).toBe('deny');
      }),
    );
  });

  it('never lets a standing answer settle something destructive, or a grant something external', () => {
    fc.assert(
      fc.property(facts, (some) => {
        const decision = decide(some);
        if (decision.effect !== 'allow' || some.tool.kind !== 'known') return;
        expect(some.tool.manifest.effect).not.toBe('destructive');
        if (decision.reasons[0]?.code === 'grant') expect(some.tool.manifest.external).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('offers the reading of output only where nothing untrusted went in', () => {
    fc.assert(
      fc.property(facts, (some) => {
        const decision = decide(some);
        if (decision.effect !== 'ask' || !decision.trustOutputOffered || some.inputs === 'unknown') return;
        expect(some.inputs.every((input) => input.label !== 'unknown' && input.label.integrity === 'trusted')).toBe(
          true,
        );
      }),
    );
  });
});

describe('checkManifest', () => {
  it('finds any argument of the schema that is not classified', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z_]{1,12}$/), (name) => {
        const tool = toolManifest();
        fc.pre(!Object.hasOwn(tool.arguments, name));
        const properties = { path: {}, contents: {}, ref: {}, why: {}, [name]: {} };
        expect(checkManifest(tool, { properties, additionalProperties: false })).toHaveLength(1);
      }),
    );
  });
});
