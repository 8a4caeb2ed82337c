/** Turns a command line into the plan that is judged, shown, bound and carried out. A line that is no plan is refused with the grammar's own code; no part of one ever runs. */
import { Fault, isFault } from '@bravo/faults';
import {
  candidateOfPlan,
  type CommandCandidate,
  compileLine,
  firstLabel,
  type InputFact,
  type JsonObject,
  type LinePlan,
  type PathFact,
  proveReads,
  WORKSPACE_ROOT,
} from '@bravo/policy';
import type { BoundAgent } from '../access/agent.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** The line itself is at fault, whatever the policy says; nothing was decided about it. */
export class LineUnusable extends Fault {
  constructor(code: string, text: string) {
    super('invalid_argument', `${code}: ${text}`, { meta: { field: 'command', line: code } });
  }
}

export interface ResolvedLine {
  /** The plan with the file of each program; `reads` where it is proven to read those files and do nothing else. */
  readonly target: JsonObject;
  readonly candidate: CommandCandidate;
  readonly paths: readonly PathFact[];
  readonly inputs: readonly InputFact[];
  readonly assignsEnvironment: boolean;
  readonly proven: boolean;
  /** Files a proven line reads: what a rule says of reading them holds. */
  readonly reads: readonly { readonly named: string; readonly landing: string }[];
}

export interface LineSources {
  readonly sandbox: Pick<Sandbox, 'stat' | 'list' | 'programs'>;
  /** Trust and revision of one path. */
  look(path: string, access: PathFact['access']): Promise<PathFact>;
  /** Of each path whether the rules deny reading it. */
  isReadDenied(paths: readonly string[]): Promise<readonly boolean[]>;
}

const DEPTH = 32;
const MOST_ENTRIES = 4_096;
/** Words of a line that are looked up among the files. */
const MOST_OPERANDS = 64;
const NULL_DEVICE = '/dev/null';

/** Workspace-relative, or undefined for a place outside of it. */
const withinWorkspace = (path: string, directory: string): string | undefined => {
  const absolute = path.startsWith('/') ? path : `${WORKSPACE_ROOT}/${directory}/${path}`;
  const segments = absolute.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments[0] !== WORKSPACE_ROOT.slice(1) || segments.includes('..')) return undefined;
  return segments.slice(1).join('/');
};

/** @throws LineUnusable for a line that is no plan; Fault where something about it could not be read. */
export const resolveLine = async (
  sources: LineSources,
  agent: BoundAgent,
  { line, directory, plain }: { line: string; directory: string; plain: boolean },
): Promise<ResolvedLine> => {
  const { sandbox } = sources;
  const programs = await sandbox.programs();
  const plan = await compile(sources, agent, line, directory, programs);
  const fileOf = (name: string): string =>
    name.includes('/')
      ? name.startsWith('/')
        ? name
        : `${WORKSPACE_ROOT}/${withinWorkspace(name, directory) ?? ''}`
      : (programs.get(name) ?? '');
  const paths = new Map<string, PathFact>();
  const inputs: InputFact[] = [];
  const landings = new Map<string, string>();
  for (const { op, path } of plan.steps.flatMap(({ redirects }) => redirects)) {
    if (path === undefined || path === NULL_DEVICE) continue;
    const within = withinWorkspace(path, directory);
    if (within === undefined) {
      if (path.split('/').includes('..')) throw new LineUnusable('NotOnePath', 'A redirection does not lead upwards.');
      // Beside the files: gone with the container, and nothing of ours can be there.
      continue;
    }
    const access = op === '<' ? 'read' : 'write';
    const fact = await sources.look(within, access);
    landings.set(within, fact.path);
    if (access === 'read') {
      if (fact.revision === null) throw new LineUnusable('NotFound', 'There is no such file to read in.');
      inputs.push({ name: fact.path, label: fileLabel(fact) });
    }
    paths.set(`${access} ${fact.path}`, fact);
  }
  const proof = plain
    ? proveReads(plan, { workspace: WORKSPACE_ROOT, directory, resolve: (name) => programs.get(name) })
    : undefined;
  const operands = await lookAtOperands(sources, plan, directory);
  for (const fact of operands.facts) paths.set(`read ${fact.path}`, fact);
  const reads = proof === undefined ? undefined : provenReads(proof, directory, operands);
  return {
    target: {
      steps: plan.steps.map(({ argv, env, redirects }) => ({
        argv: [...argv],
        program: fileOf(argv[0] ?? ''),
        env: { ...env },
        redirects: redirects.map(({ op, path }) => ({ op, path: path ?? '' })),
      })),
      connectors: [...plan.connectors],
      ...(reads === undefined ? {} : { reads: reads.map(({ landing }) => landing) }),
    },
    candidate: candidateOfPlan(plan, {
      workspace: WORKSPACE_ROOT,
      ...(directory === '' ? {} : { directory }),
      privateInput: !plain,
      landingOf: (path) => landings.get(path),
    }),
    paths: [...paths.values()],
    inputs,
    assignsEnvironment: plan.steps.some(({ env }) => Object.keys(env).length > 0),
    proven: reads !== undefined,
    reads: reads ?? [],
  };
};

const fileLabel = ({ trust }: PathFact): InputFact['label'] =>
  firstLabel({ kind: 'workspace_file', trust: trust === 'unknown' ? 'untrusted' : trust });

const compile = async (
  { sandbox, isReadDenied }: LineSources,
  agent: BoundAgent,
  line: string,
  directory: string,
  programs: ReadonlyMap<string, string>,
): Promise<LinePlan> => {
  // What exists matters to patterns only.
  const listing = /[*?[]/.test(line) ? await sandbox.list(agent, directory, DEPTH, MOST_ENTRIES) : undefined;
  const prefix = directory === '' ? '' : `${directory}/`;
  const found = (listing?.entries ?? [])
    .filter(({ kind, path }) => kind !== 'link' && path.startsWith(prefix))
    .map(({ path }) => path);
  // A pattern neither reads nor names what may not be read; to whoever writes it there is no such file.
  const denied = await isReadDenied(found);
  const files = found.filter((_, at) => denied[at] === false).map((path) => path.slice(prefix.length));
  const own = new Set<string>();
  const compiled = compileLine(line, {
    files,
    isProgram: (name) => {
      if (!name.includes('/')) return programs.has(name);
      const within = withinWorkspace(name, directory);
      if (within === undefined) return [...programs.values()].includes(name);
      own.add(within);
      return true;
    },
  });
  if ('refused' in compiled) throw new LineUnusable(compiled.refused.code, compiled.refused.text);
  if (listing?.truncated === true)
    throw new LineUnusable('TooMany', `A pattern is matched against at most ${MOST_ENTRIES} entries; name the files.`);
  for (const path of own) {
    if ((await sandbox.stat(agent, path)).kind !== 'file')
      throw new LineUnusable('NotFound', 'There is no such program among the files.');
  }
  return compiled.plan;
};

interface Operands {
  readonly facts: readonly PathFact[];
  /** By the word as written: the file it names, undefined for what is a link, a directory or no path. */
  readonly byWord: ReadonlyMap<string, PathFact | undefined>;
}

/** Files that words of the line name: bound to what they are now, and counted to what goes in. */
const lookAtOperands = async ({ look }: LineSources, plan: LinePlan, directory: string): Promise<Operands> => {
  const words = new Set(plan.steps.flatMap(({ argv }) => [...(argv[0]?.includes('/') ? argv : argv.slice(1))]));
  const byWord = new Map<string, PathFact | undefined>();
  for (const word of [...words].filter((each) => each !== '' && each.length <= 1_024).slice(0, MOST_OPERANDS)) {
    const within = withinWorkspace(word, directory);
    if (within === undefined || within === '') continue;
    try {
      byWord.set(word, await look(within, 'read'));
    } catch (error) {
      // A link, a directory's name or no path at all.
      if (!isFault(error) || !['invalid_argument', 'not_found'].includes(error.code)) throw error;
      byWord.set(word, undefined);
    }
  }
  const facts = [...byWord.values()].filter(
    (fact) => fact !== undefined && fact.revision !== null && fact.revision !== '',
  );
  return { facts: facts as PathFact[], byWord };
};

/** Undefined where one of them is more than one file that can be named: what is below a directory nobody looked at. */
const provenReads = (
  proof: readonly string[],
  directory: string,
  { byWord }: Operands,
): ResolvedLine['reads'] | undefined => {
  const reads: { named: string; landing: string }[] = [];
  for (const word of proof) {
    const fact = byWord.get(word);
    // A directory has no revision.
    if (fact === undefined || fact.revision === '') return undefined;
    reads.push({ named: withinWorkspace(word, directory) ?? word, landing: fact.path });
  }
  return reads;
};
