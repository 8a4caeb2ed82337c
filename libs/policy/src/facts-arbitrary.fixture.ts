/** Facts of any kind for property tests, and how often each property is tried; production code must never import it. */
import fc from 'fast-check';
import type { Decision, Facts, Label, ToolManifest } from './index.ts';
import { PERMISSIONS } from './index.ts';
import { configSnapshot, factsFor, NOW, toolManifest } from './facts.fixture.ts';

declare const process: { readonly env: Readonly<Record<string, string | undefined>> };

/** Mutation testing tries less often: it runs every property some thousand times over. */
export const RUNS = { numRuns: Number(process.env['BRAVO_PROPERTY_RUNS'] ?? 10_000) };

export const anyLabel: fc.Arbitrary<Label> = fc.record({
  integrity: fc.constantFrom('trusted', 'untrusted'),
  confidentiality: fc.constantFrom('public', 'private'),
});
export const anyHit = fc.record({
  rule: fc.constantFrom('Read', 'Bash(x)'),
  layer: fc.constantFrom('platform', 'user'),
  exact: fc.boolean(),
});
const hits = fc.array(anyHit, { maxLength: 1 });
const rare = fc.integer({ min: 0, max: 9 }).map((n) => n === 0);

const manifest: fc.Arbitrary<ToolManifest> = fc
  .record({
    effect: fc.constantFrom('read', 'write', 'destructive'),
    external: fc.boolean(),
    confined: fc.boolean(),
    runsCode: fc.boolean(),
    origin: fc.constantFrom('first_party', 'foreign'),
    starts: fc.constantFrom('nothing', 'question', 'delegate', 'turn'),
    defaultGate: fc.constantFrom('none', 'every_time', 'unless_proven'),
    permission: fc.constantFrom('view_content', 'manage_files', 'manage_voice'),
  })
  .map((over) => toolManifest({ name: 'tool', ...over } as Partial<ToolManifest>));

export const anyFacts: fc.Arbitrary<Facts> = fc
  .record({
    manifest,
    pathLabel: anyLabel,
    contentsLabel: anyLabel,
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
    inputs: fc.array(fc.record({ name: fc.constant('in'), label: anyLabel }), { maxLength: 1 }),
    writesThroughReference: rare,
    credentials: fc.array(
      fc.record({
        at: fc.constantFrom('given', 'shown'),
        kind: fc.constant('a key'),
        place: fc.constant('contents, line 1'),
        declared: fc.boolean(),
      }),
      { maxLength: 1, size: 'xsmall' },
    ),
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

/** How much a decision lets happen: nothing, what a person says, the call. */
export const rank = (decision: Decision): number => RANK[decision.effect];
