/** Settings documents met at the edge: written as a person's layer over REST. Guarantees that what is compared is what the platform names as ignored, unreadable or refused. */
import type { z } from 'zod';
import { type settingsMergeRows, textOf } from '../settings-merge-suite.ts';
import type { Replay } from '../suite.ts';
import { type EdgeSuite, type Expressions, nowhere, type Seat } from './edge.ts';

type Row = z.output<typeof settingsMergeRows>;
type Merge = Extract<Row, { kind: 'merge' }>;

const NOT_TOLD = 'what is in force of a document other than its rules is not replayed from the edge yet';
const NO_DECISION = 'settings other than rules decide no call';

export const settingsMergeEdge: EdgeSuite<typeof settingsMergeRows> = {
  name: 'settings-merge',
  express: (row): Expressions => {
    if (row.kind !== 'merge')
      return nowhere(row.kind === 'model' ? NOT_TOLD : 'no program is given a variable of the platform');
    if (row.ignored.length + row.reported.length === 0) return { ...nowhere(NO_DECISION), settings: NOT_TOLD };
    return { ...nowhere(NO_DECISION), settings: (seat) => meet(seat, row) };
  },
};

/** Each document by itself, because a layer that cannot be read changes nothing but itself. */
const meet = async (seat: Seat, { layers, ignored, reported }: Merge): Promise<Replay> => {
  const actual: unknown[] = [];
  for (const source of layers) {
    const text = textOf(source);
    if (source.layer === 'above' || text === undefined) continue;
    const { stored, warnings } = await seat.tellSettings(text);
    if (!stored) actual.push({ layer: source.layer, what: 'refused' });
    for (const { code, key } of warnings) {
      if (code === 'unreadable')
        actual.push({ layer: source.layer, what: 'unreadable-rule', item: itemAt(source.value, key) });
      if (code === 'ignored') actual.push({ layer: source.layer, key });
    }
  }
  const expected = [
    ...reported.map(({ layer, what, item }) =>
      what === 'unreadable-rule' ? { layer, what, item } : { layer, what: 'refused' },
    ),
    ...ignored,
  ];
  return { expected: sorted(expected), actual: sorted(actual) };
};

/** `permissions.deny[1]` to the entry at that place. */
const itemAt = (value: unknown, key: string): unknown =>
  key
    .split(/[.[\]]/)
    .reduce<unknown>(
      (inside, name) => (name === '' ? inside : (inside as Record<string, unknown> | undefined)?.[name]),
      value,
    );

const sorted = (notes: readonly unknown[]): string[] => notes.map((note) => JSON.stringify(note)).sort();
