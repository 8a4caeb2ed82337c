import fc from 'fast-check';
import type { Facts, Label } from './index.ts';
import { checkManifest, decide } from './index.ts';
import { anyFacts as facts, anyHit, rank, RUNS } from './facts-arbitrary.fixture.ts';
import { configSnapshot, factsFor, toolManifest } from './facts.fixture.ts';

/** Every place of the facts that can say it was not read. */
const UNKNOWABLE = [
  'feature',
  'config',
  'mode',
  'context',
  'paths',
  'inputs',
  'writesThroughReference',
  'credentials',
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
        return JSON.stringify(decide(some)) === JSON.stringify(decide(some)) && JSON.stringify(some) === before;
      }),
      RUNS,
    );
  });

  it('never throws, whatever it is given, and allows no garbage [policy.total]', () => {
    fc.assert(
      fc.property(fc.anything(), (garbage) => decide(garbage as Facts).effect === 'deny'),
      RUNS,
    );
    const place = fc.constantFrom(...(Object.keys(factsFor(toolManifest())) as (keyof Facts)[]));
    fc.assert(
      fc.property(facts, place, fc.anything(), (some, name, garbage) => {
        return ['deny', 'ask', 'allow'].includes(decide({ ...some, [name]: garbage } as Facts).effect);
      }),
      RUNS,
    );
  });

  it('denies when any one fact is unknown or missing [policy.total]', () => {
    fc.assert(
      fc.property(facts, fc.constantFrom(...UNKNOWABLE), fc.constantFrom('unknown', undefined), (some, name, hole) => {
        return decide({ ...some, [name]: hole } as Facts).effect === 'deny';
      }),
      RUNS,
    );
  });

  it('denies when permissions, a path or its revision is unknown', () => {
    const path = { path: '/w/z', access: 'read', trust: 'trusted', revision: '1' } as const;
    fc.assert(
      fc.property(facts, (some) => {
        const holes: Partial<Facts>[] = [
          { principal: { ...some.principal, permissions: 'unknown' } },
          { paths: [{ ...path, trust: 'unknown' }] },
          { paths: [{ ...path, revision: 'unknown' }] },
        ];
        return holes.every((hole) => decide({ ...some, ...hole }).effect === 'deny');
      }),
      RUNS,
    );
  });

  it('never allows more once integrity has fallen', () => {
    fc.assert(
      fc.property(facts, (some) => {
        const context = {
          integrity: 'untrusted',
          holdsPrivate: some.context !== 'unknown' && some.context.holdsPrivate,
        } as const;
        return rank(decide({ ...some, context })) <= rank(decide(some));
      }),
      RUNS,
    );
  });

  it('never allows more for a worse label of an argument or an input', () => {
    const worse = (from: Label): Label => ({ ...from, integrity: 'untrusted', confidentiality: 'private' });
    fc.assert(
      fc.property(facts, fc.constantFrom('path', 'contents', 'ref', 'why'), (some, name) => {
        const argumentLabels = { ...some.argumentLabels, [name]: worse(some.argumentLabels[name] as Label) };
        const inputs =
          some.inputs === 'unknown' ? [] : some.inputs.map((input) => ({ ...input, label: 'unknown' as const }));
        const before = rank(decide(some));
        return rank(decide({ ...some, argumentLabels })) <= before && rank(decide({ ...some, inputs })) <= before;
      }),
      RUNS,
    );
  });

  it('never allows more for one more deny or ask rule [policy.rules]', () => {
    fc.assert(
      fc.property(facts, fc.constantFrom('deny', 'ask'), anyHit, fc.boolean(), (some, list, hit, isFirst) => {
        if (some.rules === 'unknown') return false;
        const before = some.rules[list];
        const rules = { ...some.rules, [list]: isFirst ? [hit, ...before] : [...before, hit] };
        return rank(decide({ ...some, rules })) <= Math.min(rank(decide(some)), list === 'deny' ? 0 : 1);
      }),
      RUNS,
    );
  });

  it('never lets one more allow rule override a deny or an ask [policy.rules]', () => {
    fc.assert(
      fc.property(facts, anyHit, (some, hit) => {
        if (some.rules === 'unknown') return;
        const before = decide(some);
        const after = decide({ ...some, rules: { ...some.rules, allow: [hit, ...some.rules.allow] } });
        // What was refused only because nobody could be asked may be answered by a rule; any other refusal stands.
        const nobody = before.reasons[0]?.code === 'nobody_to_ask';
        if (before.effect === 'deny' && !nobody) expect(after).toEqual(before);
        if (some.rules.ask.length > 0) expect(after.effect).not.toBe('allow');
        if (before.effect === 'ask') expect(after.effect).not.toBe('deny');
      }),
      RUNS,
    );
  });

  it('never lets a deny rule, a denied tool or a closed gate pass', () => {
    fc.assert(
      fc.property(facts, (some) => {
        if (some.rules === 'unknown') return false;
        const deny = [{ rule: 'Read', layer: 'user' as const }];
        const closed: Partial<Facts>[] = [
          { rules: { ...some.rules, deny } },
          { config: configSnapshot({ deniedTools: ['tool'] }) },
          { feature: 'off' },
        ];
        return closed.every((one) => decide({ ...some, ...one }).effect === 'deny');
      }),
      RUNS,
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
      RUNS,
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
      RUNS,
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
      RUNS,
    );
  });
});
