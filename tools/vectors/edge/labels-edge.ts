/** First labels met at the edge: what a file, a listing, a program and the agent's own words are labelled as there. Guarantees that a label is the one the platform tells the person. */
import type { z } from 'zod';
import type { labelRows } from '../labels-suite.ts';
import type { Replay } from '../suite.ts';
import { beginWithoutRules, type EdgeSuite, type Expressions, nowhere, type Seat, type Talk } from './edge.ts';

type Row = z.output<typeof labelRows>;

const SETTINGS = 'settings say nothing of labels';
const ALGEBRA = 'a relation of two labels by itself; at the edge it shows in what is decided and shown';
const NO_SOURCE = 'no tool here gives a value of this origin';
const SEEN = 'the label of a result is told with the call, not by an explanation';
const OF_WORDS = 'the label of what an agent writes shows in what would be asked';

export const labelsEdge: EdgeSuite<typeof labelRows> = {
  name: 'labels',
  express: (row): Expressions => {
    if (row.kind === 'admissible') return admissible(row);
    if (row.kind !== 'first') return nowhere(ALGEBRA);
    const given = row.given ?? {};
    switch (row.origin) {
      case 'workspace file':
        return told((seat) => file(seat, given.vouched === true), row.label);
      case 'listing names':
        return told((seat) => listing(seat, given.paths ?? 0, Number(given.vouched)), row.label);
      case 'program output':
        return given.vouchedOrProven === 0
          ? told(program, row.label)
          : nowhere('no program is vouched for or proven here yet');
      case "planner's words":
        return given.contextIntegrity === 'T'
          ? words(row.label?.confidentiality === 'private', given.workspaceReads ?? 0)
          : nowhere('nothing untrusted is ever shown to an agent here, so no context has fallen');
      default:
        return nowhere(NO_SOURCE);
    }
  },
};

const told = (make: (seat: Seat) => Promise<unknown>, expected: unknown): Expressions => ({
  settings: SETTINGS,
  explain: SEEN,
  mcp: async (seat) => ({ expected, actual: await make(seat) }),
});

/** A routing word that is private is asked about; a public one is not. */
const words = (isPrivate: boolean, reads: number): Expressions => ({
  settings: SETTINGS,
  explain: async (seat): Promise<Replay> => {
    const talk = await beginWithoutRules(seat);
    if (isPrivate) await talk.call('execute_script', PROGRAM, 'approve and show');
    if (reads > 0) await talk.call('write_file', { path: 'a.txt', contents: 'words' }, 'approve');
    for (let n = 0; n < reads; n += 1) await talk.call('read_file', { path: 'a.txt' });
    return { expected: { isPrivate }, actual: { isPrivate: await areWordsPrivate(talk) } };
  },
  mcp: OF_WORDS,
});

const areWordsPrivate = async (talk: Talk): Promise<boolean> =>
  (await talk.explain('write_file', { path: 'b.txt', contents: '' })).reasons.some(
    ({ code }) => code === 'routing_private',
  );

/** Routing takes (trusted, public) and no other label unasked. */
const admissible = (row: Extract<Row, { kind: 'admissible' }>): Expressions => {
  const isPrivate = row.label.confidentiality === 'private';
  if (row.field !== 'routing' || row.label.integrity !== 'trusted') return nowhere(ALGEBRA);
  return {
    ...words(isPrivate, 0),
    explain: async (seat): Promise<Replay> => {
      const talk = await beginWithoutRules(seat);
      if (isPrivate) await talk.call('execute_script', PROGRAM, 'approve and show');
      return { expected: { allowed: row.allowed }, actual: { allowed: !(await areWordsPrivate(talk)) } };
    },
  };
};

const PROGRAM = { language: 'python', code: 'print("words of a program")' };

const file = async (seat: Seat, vouched: boolean): Promise<unknown> => {
  const talk = await beginWithoutRules(seat);
  await make(talk, 'a.txt', vouched);
  return (await talk.call('read_file', { path: 'a.txt' })).label;
};

const listing = async (seat: Seat, paths: number, vouched: number): Promise<unknown> => {
  const talk = await beginWithoutRules(seat);
  for (let at = 0; at < paths; at += 1) await make(talk, `some/${at}.txt`, at < vouched);
  return (await talk.call('list_files', { directory: 'some' })).label;
};

const program = async (seat: Seat): Promise<unknown> =>
  (await (await beginWithoutRules(seat)).call('execute_script', PROGRAM, 'approve')).label;

/** A file nobody vouched for is one written from a program's output. */
const make = async (talk: Talk, path: string, vouched: boolean): Promise<void> => {
  if (!vouched) await talk.call('execute_script', PROGRAM, 'approve');
  await talk.call('write_file', { path, ...(vouched ? { contents: 'words' } : { contents_ref: 'ref:1' }) }, 'approve');
};
