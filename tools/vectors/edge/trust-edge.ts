/** The trust map met at the edge: marks made by writing files, seen in what a write would ask and in what a read shows. Guarantees that every mark is one that `write_file` left. */
import type { z } from 'zod';
import type { trustMapRows } from '../trust-map-suite.ts';
import type { Replay } from '../suite.ts';
import type { EdgeSuite, Expression, Expressions, Seat, Talk } from './edge.ts';

type Row = z.output<typeof trustMapRows>;
type Trust = 'trusted' | 'untrusted' | 'unmentioned';

const OWN_WORDS = 'words of the agent\n';
const DIRECTORY = 'only files are vouched for here, by being written; no way in vouches for a directory';
const FOLDS = "the workspace's volume folds no case";
const UNFINISHED = 'nothing an agent or a person can do breaks a write off';
const NO_SETTINGS = 'settings say nothing of trust';

export const trustMapEdge: EdgeSuite<typeof trustMapRows> = {
  name: 'trust-map',
  express: (row): Expressions => {
    const why = whyNot(row);
    return {
      settings: NO_SETTINGS,
      explain: why ?? ((seat) => meet(seat, row, explained)),
      mcp:
        why ?? (shows(row) ? (seat) => meet(seat, row, shown) : 'a read shows a file, and there is none at this path'),
    };
  },
};

/** Paths that must be files for the case to be made. */
const marked = (row: Row): readonly string[] =>
  row.kind === 'lookup'
    ? row.rules.map(({ path }) => path)
    : row.kind === 'afterWrite'
      ? row.rules.map(({ path }) => path)
      : [];

const whyNot = (row: Row): string | undefined => {
  if (row.kind === 'lookup' && row.caseFolding === true) return FOLDS;
  if (
    (row.kind === 'write' && row.outcome === 'failed') ||
    (row.kind === 'afterWrite' && row.write.outcome === 'failed')
  )
    return UNFINISHED;
  if (
    marked(row).some(
      (path) =>
        path === '/' ||
        looked(row).some((other) => (other === path ? isDirectory(path) : other.startsWith(`${path}/`))),
    )
  )
    return DIRECTORY;
  return undefined;
};

const looked = (row: Row): readonly string[] => {
  if (row.kind === 'lookup') return [row.path];
  return row.kind === 'afterWrite' ? [row.write.path, ...row.then.map(({ path }) => path)] : [];
};

const isDirectory = (path: string): boolean => !/\.[a-z]+$/.test(path);

/** Whether every path the case looks at is a file it wrote: a read of anything else shows nothing. */
const shows = (row: Row): boolean =>
  row.kind === 'write' || (row.kind === 'lookup' && row.rules.some(({ path }) => path === row.path));

type Look = (talk: Talk, path: string) => Promise<Trust | 'shown' | 'withheld'>;

let made = 0;

const meet = async (seat: Seat, row: Row, look: Look): Promise<Replay> => {
  const talk = await seat.shared();
  const root = `case${(made += 1)}`;
  const at = (path: string): string => `${root}${path}`;
  const mark = (path: string, trust: boolean): Promise<void> => write(talk, at(path), trust ? 'T' : 'U');
  const see = (expected: Trust): string =>
    look === shown ? (expected === 'trusted' ? 'shown' : 'withheld') : expected;
  switch (row.kind) {
    case 'lookup':
      for (const { path, trust } of row.rules) await mark(path, trust);
      return { expected: see(row.expect), actual: await look(talk, at(row.path)) };
    case 'write': {
      if (row.destination !== 'unmentioned') await mark('/a.txt', row.destination === 'trusted');
      const { effect, reasons } = await talk.explain('write_file', { path: at('/a.txt'), ...carried(row.data) });
      const asked = reasons.some(({ code }) => code === 'write_new_path' || code === 'write_taints_path');
      await write(talk, at('/a.txt'), row.data);
      return {
        expected: { asks: row.asks, tableAsks: row.tableAsks, after: see(row.after) },
        actual: { asks: effect === 'ask', tableAsks: asked, after: await look(talk, at('/a.txt')) },
      };
    }
    case 'afterWrite': {
      for (const { path, trust } of row.rules) await mark(path, trust);
      await write(talk, at(row.write.path), row.write.data);
      const actual: unknown[] = [];
      for (const { path } of row.then) actual.push({ path, expect: await look(talk, at(path)) });
      return { expected: row.then.map(({ path, expect }) => ({ path, expect: see(expect) })), actual };
    }
  }
};

/** The first reference of the shared conversation: the output of a program, which nobody vouched for. */
const carried = (data: 'trusted' | 'untrusted' | 'T' | 'U') =>
  data === 'T' || data === 'trusted' ? { contents: OWN_WORDS } : { contents_ref: 'ref:1' };

const write = async (talk: Talk, path: string, data: 'trusted' | 'untrusted' | 'T' | 'U'): Promise<void> => {
  const { text, isError } = await talk.call('write_file', { path, ...carried(data) }, 'approve');
  if (isError) throw new Error(`${path} could not be written: ${text}`);
};

/** What a write of words, and one of a reference, would ask tells the three states apart. */
const explained: Look = async (talk, path) => {
  const codes = async (input: object) =>
    (await talk.explain('write_file', { path, ...input })).reasons.map(({ code }) => code);
  if ((await codes(carried('T'))).includes('write_new_path')) return 'unmentioned';
  return (await codes(carried('U'))).includes('write_taints_path') ? 'trusted' : 'untrusted';
};

const shown: Look = async (talk, path) => {
  const { text } = await talk.call('read_file', { path });
  return /ref:\d+ - /.test(text) ? 'withheld' : 'shown';
};

export type { Expression };
