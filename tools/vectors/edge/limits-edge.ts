/** Limits met at the edge: the amounts a case tries, given to the tool or route that has the limit. Guarantees that an amount is really there and not merely named. */
import type { z } from 'zod';
import type { limitRows } from '../limits-suite.ts';
import type { Replay } from '../suite.ts';
import { beginWithoutRules, type EdgeSuite, type Expressions, nowhere, type Seat } from './edge.ts';

type Row = z.output<typeof limitRows>;
type Outcome = { readonly outcome: string; readonly effective?: number };

/** Tries one amount. Lines of a file are counted in what a read shows; a settings document is as long as it is. */
const TRIES: Readonly<
  Record<string, { layer: 'settings' | 'mcp'; try: (seat: Seat, given: number) => Promise<Outcome> }>
> = {
  'read_file/lines per page': {
    layer: 'mcp',
    try: async (seat, given) => {
      const talk = await beginWithoutRules(seat);
      const contents = Array.from({ length: given }, (_, at) => `line ${at + 1}`).join('\n');
      await talk.call('write_file', { path: 'long.txt', contents }, 'approve');
      const { text } = await talk.call('read_file', { path: 'long.txt' });
      const shown = (text.match(/^line \d+$/gm) ?? []).length;
      const says = new RegExp(`offset ${shown + 1}\\b`).test(text);
      return shown === given
        ? { outcome: 'accept' }
        : { outcome: says ? 'truncate+say' : 'cut in silence', effective: shown };
    },
  },
  'settings/settings file': {
    layer: 'settings',
    try: async (seat, given) => ({
      outcome: (await seat.tellSettings('{}'.padEnd(given, ' '))).stored ? 'accept' : 'refuse',
    }),
  },
};

export const limitsEdge: EdgeSuite<typeof limitRows> = {
  name: 'limits',
  express: (row): Expressions => {
    const attempt = TRIES[`${row.tool}/${row.name}`];
    if (attempt === undefined)
      return nowhere('no tool or route here has it, or its amount cannot be brought about in a short run');
    if (row.probes.length === 0) return nowhere('the case tries no amount');
    return {
      ...nowhere('this limit is met in another layer'),
      [attempt.layer]: (seat: Seat) => meet(seat, row, attempt.try),
    };
  },
};

const meet = async (
  seat: Seat,
  { probes }: Row,
  attempt: (seat: Seat, given: number) => Promise<Outcome>,
): Promise<Replay> => {
  const actual: Outcome[] = [];
  for (const { given } of probes) actual.push(await attempt(seat, given));
  return {
    expected: probes.map(({ outcome, effective }) => ({ outcome, ...(effective === undefined ? {} : { effective }) })),
    actual,
  };
};
