/** Settings documents met at the edge: written over REST into a person's own layers. Guarantees that what is compared is what the platform refuses or names, and what it then says is in force. */
import type { z } from 'zod';
import { type settingsMergeRows, textOf } from '../settings-merge-suite.ts';
import type { Replay } from '../suite.ts';
import { type EdgeSuite, type Expressions, nowhere, type Seat } from './edge.ts';

type Row = z.output<typeof settingsMergeRows>;
type Merge = Extract<Row, { kind: 'merge' }>;

const NO_DECISION = 'settings other than rules decide no call';
const NO_ENVIRONMENT = "variables over all layers are the operator's, and no way in sets them";
const NO_CHOICE = 'the platform offers the models of its own providers, and none that only a case names';
const NO_SPELLING = 'which spelling of a word is in force is not told, only whose word';

export const settingsMergeEdge: EdgeSuite<typeof settingsMergeRows> = {
  name: 'settings-merge',
  needsWorkspace: (row) => row.kind === 'merge' && documentsOf(row).length > 2,
  express: (row): Expressions => {
    if (row.kind !== 'merge')
      return nowhere(row.kind === 'model' ? NO_CHOICE : 'no program is given a variable of the platform');
    return { ...nowhere(NO_DECISION), settings: whyNot(row) ?? ((seat) => meet(seat, row)) };
  },
};

const whyNot = ({ environment, layers, effective }: Merge): string | undefined => {
  if (environment !== undefined) return NO_ENVIRONMENT;
  const style = effective['editorMode'];
  const written = layers.map(({ value }) => (value as { editorMode?: unknown } | undefined)?.editorMode);
  return style === undefined || written.includes(style) ? undefined : NO_SPELLING;
};

/** Documents of layers there are, weakest first; one that is not there is not written. */
const documentsOf = ({ layers }: Merge) =>
  layers.flatMap((source) => {
    const text = textOf(source);
    return source.layer === 'above' || text === undefined ? [] : [{ ...source, text }];
  });

const meet = async (seat: Seat, row: Merge): Promise<Replay> => {
  const sources = documentsOf(row);
  const { answers, effective } = await seat.inForce(sources.map(({ text }) => text));
  const notes = sources.flatMap(({ layer, value }, at) => {
    const { stored, warnings } = answers[at] ?? { stored: false, warnings: [] };
    if (!stored) return [{ layer, what: 'refused' }];
    return warnings.flatMap(({ code, key }): object[] => {
      if (code === 'unreadable') return [{ layer, what: 'unreadable-rule', item: itemAt(value, key) }];
      return code === 'ignored' ? [{ layer, key }] : [];
    });
  });
  const expected = [
    ...row.reported.map(({ layer, what, item }) =>
      what === 'unreadable-rule' ? { layer, what, item } : { layer, what: 'refused' },
    ),
    ...row.ignored,
  ];
  return {
    expected: { effective: row.effective, notes: sorted(expected) },
    actual: { effective, notes: sorted(notes) },
  };
};

/** `permissions.deny[1]` to the entry at that place. */
const itemAt = (value: unknown, key: string): unknown =>
  key
    .split(/[.[\]]/)
    .reduce<unknown>(
      (inside, name) => (name === '' ? inside : (inside as Record<string, unknown> | undefined)?.[name]),
      value,
    );

const sorted = (notes: readonly object[]): string[] => notes.map((note) => JSON.stringify(note)).sort();
