/** Replays the settings-merge suite through the library. Guarantees that every layer goes through the same reader as a stored document, text and all. */
import { chooseModel, mergeSettings, readRule, SINGLE_USER_LAYERS, withholdsCredentials } from '@bravo/policy';
import { caseOf } from '@bravo/testing/load-vectors';
import { z } from 'zod';
import { type Replay, suiteOf } from './suite.ts';

const name = z.enum(['home', 'project', 'local', 'above']);
const content = {
  value: z.unknown().optional(),
  text: z.string().optional(),
  sizeBytes: z.int().optional(),
  absent: z.literal(true).optional(),
};
const layer = z
  .strictObject({ layer: name, ...content })
  .refine((row) => Object.keys(row).length === 2, { error: 'a layer has one of value, text, sizeBytes, absent' });

const merge = caseOf('merge', {
  layers: z.array(layer),
  environment: z.record(z.string(), z.string()).optional(),
  effective: z.record(z.string(), z.unknown()),
  ignored: z.array(z.strictObject({ layer: name, key: z.string() })).default([]),
  reported: z
    .array(
      z.strictObject({
        layer: name,
        what: z.enum(['unparseable', 'too-large', 'unreadable-rule']),
        item: z.string().optional(),
      }),
    )
    .default([]),
});
const model = caseOf('model', {
  flag: z.string().optional(),
  recorded: z.string().optional(),
  exported: z.string().optional(),
  setting: z.string().optional(),
  tiers: z.record(z.string(), z.string()).optional(),
  builtin: z.string(),
  effective: z.string(),
});
const switched = caseOf('switch', { variable: z.string(), value: z.string().nullable(), withheld: z.boolean() });

export const settingsMergeRows = z.discriminatedUnion('kind', [merge, model, switched]);

export const settingsMergeSuite = suiteOf({
  name: 'settings-merge',
  rows: settingsMergeRows,
  replay: (row): Replay => {
    switch (row.kind) {
      case 'merge':
        return replayMerge(row);
      case 'model':
        return { expected: row.effective, actual: chooseModel(row) };
      case 'switch':
        return { expected: row.withheld, actual: withholdsCredentials({ [row.variable]: row.value ?? undefined }) };
    }
  },
});

/** Every anchor there is resolves, so that a case is about the rule alone. */
const ANCHORS = { home: '/home/person', settingsDir: '/work', backslashSeparates: false };

function whyUnreadable(rule: unknown): string | undefined {
  const reading = readRule(rule, ANCHORS);
  return 'unreadable' in reading ? reading.unreadable.text : undefined;
}

function replayMerge({ layers, environment, effective, ignored, reported }: z.output<typeof merge>): Replay {
  const merged = mergeSettings(
    layers.map((source) => ({ layer: source.layer, text: textOf(source) })),
    { layers: SINGLE_USER_LAYERS, environment: environment ?? {}, whyUnreadable },
  );
  return {
    expected: { effective, ignored, reported },
    actual: {
      effective: merged.effective,
      ignored: merged.ignored.map(({ layer: from, key }) => ({ layer: from, key })),
      reported: merged.problems.map(({ layer: from, what, item }) => ({
        layer: from,
        what,
        ...(item === undefined ? {} : { item }),
      })),
    },
  };
}

/** The document as a file would hold it; of a size alone, an empty one with that many bytes. */
export function textOf(source: z.output<typeof layer>): string | undefined {
  if (source.absent) return undefined;
  if (source.sizeBytes !== undefined) return '{}'.padEnd(source.sizeBytes, ' ');
  return source.text ?? JSON.stringify(source.value);
}
