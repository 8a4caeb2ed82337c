/** Command lines met at the edge: explained before they run, and refused as an agent makes them. Guarantees that a line is passed on as it is written; a program the sandbox has not is said, and never replaced by another. */
import type { z } from 'zod';
import type { commandLinesSuite } from '../command-lines-suite.ts';
import type { provenReadsSuite } from '../proven-reads-suite.ts';
import type { Replay } from '../suite.ts';
import { beginWithoutRules, type EdgeSuite, type Explained, NotMet, Refused, type Seat, type Talk } from './edge.ts';

type LineRow = z.output<typeof commandLinesSuite.rows>;

const NO_SETTINGS = 'settings say nothing of how a line is read';
const NO_HOME = 'nobody has a home here';
const WAITS = 'a line that is a plan would run; a refusal is met here';
const TOLD_BEFORE = 'which files a line is proven to read is told before it runs, and nowhere else';
/** What the tool's own schema takes. */
const LONGEST = 8_000;
const UNUSUAL = 'the schema of the tool refuses a line of this length before it is read';

/** A plan as its steps and connectors alternate, as the cases write it. */
interface ToldStep {
  readonly argv: readonly string[];
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  readonly redirects: readonly { readonly op: string; readonly path: string }[];
}
export interface ToldPlan {
  readonly steps: readonly ToldStep[];
  readonly connectors: readonly string[];
  readonly reads?: readonly string[];
}

type Read = { readonly plan: ToldPlan } | { readonly refused: string; readonly text: string };

/** @throws NotMet where a program of the line is not in the sandbox, unless the case says that there is none. */
export const readLine = async (
  judge: Pick<Talk, 'explain'>,
  input: { readonly command: string; readonly directory?: string },
  missing: readonly string[] = [],
): Promise<Read> => {
  let explained: Explained;
  try {
    explained = await judge.explain('run', input);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const refused = /^([A-Z]\w+): /.exec(error.detail)?.[1];
    if (refused === undefined) throw error;
    if (refused === 'NotFound' && !missing.some((name) => input.command.includes(name)))
      throw new NotMet('a program of the line is not in the sandbox');
    return { refused, text: error.detail };
  }
  if (explained.plan === null || explained.plan === undefined) throw new Error('The line was told without its plan.');
  return { plan: explained.plan as ToldPlan };
};

const sequence = ({ steps, connectors }: ToldPlan): unknown[] =>
  steps.flatMap(({ argv, env, redirects }, at) => [
    ...(at === 0 ? [] : [connectors[at - 1]]),
    { argv, env, redirects: redirects.map(({ op, path }) => (op === '2>&1' ? { op } : { op, path })) },
  ]);

/** Files that have to be there for the line to be a plan: a file that is read in must exist. */
const filesOf = ({ files, expect }: LineRow): readonly string[] => [
  ...files,
  ...('plan' in expect
    ? expect.plan
        .flatMap((part) => (typeof part === 'string' ? [] : part.redirects))
        .flatMap((redirect) => (redirect.op === '<' && !redirect.path.startsWith('/') ? [redirect.path] : []))
    : []),
];

const begunWith = async (seat: Seat, files: readonly string[]): Promise<Talk> => {
  const talk = await beginWithoutRules(seat);
  for (const path of files) {
    const { isError } = await talk.call('write_file', { path, contents: 'words of the agent\n' });
    if (isError) throw new NotMet('a file of the case is one that no tool may write');
  }
  return talk;
};

/** One conversation without files for all lines that are refused. */
const empty = new WeakMap<Seat, Promise<Talk>>();
const emptyTalk = (seat: Seat): Promise<Talk> => {
  const talk = empty.get(seat) ?? beginWithoutRules(seat);
  empty.set(seat, talk);
  return talk;
};

export const commandLinesEdge: EdgeSuite<typeof commandLinesSuite.rows> = {
  name: 'command-lines',
  express: (row) => {
    const { line: command, expect: expected } = row;
    const unusual = command === '' || command.length > LONGEST ? UNUSUAL : undefined;
    const why = row.home === undefined ? unusual : NO_HOME;
    const files = filesOf(row);
    return {
      settings: NO_SETTINGS,
      explain:
        why ??
        (async (seat): Promise<Replay> => {
          const read = await readLine(
            files.length === 0 ? seat : await begunWith(seat, files),
            { command },
            row.missing,
          );
          return { expected, actual: 'plan' in read ? { plan: sequence(read.plan) } : { refused: read.refused } };
        }),
      mcp:
        why ??
        ('plan' in expected || files.length > 0
          ? WAITS
          : async (seat) => {
              const { text, isError } = await (await emptyTalk(seat)).call('run', { command });
              const actual = isError ? /\b(?!Refused\b)([A-Z][A-Za-z]+): /.exec(text)?.[1] : 'not refused';
              if (actual === 'NotFound' && row.missing.length === 0)
                throw new NotMet('a program of the line is not in the sandbox');
              return { expected: expected.refused, actual };
            }),
    };
  },
};

export const provenReadsEdge: EdgeSuite<typeof provenReadsSuite.rows> = {
  name: 'proven-reads',
  express: ({ line: command, directory, resolves, proven }) => ({
    settings: NO_SETTINGS,
    explain: async (seat) => {
      const input = { command, ...(directory === undefined ? {} : { directory }) };
      const read = await readLine(await emptyTalk(seat), input);
      if ('refused' in read) return { expected: proven?.reads ?? 'unproven', actual: 'unproven' };
      const { steps, reads } = read.plan;
      if (Object.values(resolves).some((path) => !steps.some(({ program }) => program === path)))
        throw new NotMet('a program lies where the image of the sandbox has it');
      return { expected: proven?.reads ?? 'unproven', actual: reads ?? 'unproven' };
    },
    mcp: TOLD_BEFORE,
  }),
};
