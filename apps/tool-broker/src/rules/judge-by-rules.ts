/** What the permission rules say of one call. Guarantees that every path it names is judged under its name and its landing, and that one restricted path restricts the call; a call is granted only where each part of it is. */
import {
  type Candidate,
  canonicalPath,
  type CommandCandidate,
  type CompiledRules,
  type FetchCandidate,
  judgeWatched,
  type PathCandidate,
  type RuleHit,
  type RuleVerdicts,
  spellingsOf,
  type ToolManifest,
  WORKSPACE_ROOT,
} from '@bravo/policy';

/** A place that a call names: a file or directory of the workspace, or an address outside. */
export type Visit = PathVisit | { readonly url: string };

export interface PathVisit {
  /** As the call wrote it; empty for the whole workspace. */
  readonly named: string;
  readonly access: 'read' | 'write';
  /** Where links lead; absent where that could not be found out. */
  readonly landing?: string;
}

const SILENT: RuleVerdicts = { deny: [], ask: [], allow: [] };

export const judgeByRules = (
  rules: Pick<CompiledRules, 'judge'>,
  manifest: Pick<ToolManifest, 'family' | 'upstream'> | undefined,
  visits: readonly Visit[],
  watched: boolean,
  /** What a line was compiled to; absent of a program text. */
  command?: CommandCandidate,
): RuleVerdicts => {
  const candidates = [
    ...visits.map(toCandidate),
    ...(manifest?.family === 'Bash' ? [command ?? PROGRAM] : []),
    ...(manifest?.upstream === undefined ? [] : [{ family: 'Mcp' as const, ...manifest.upstream }]),
  ];
  const judgements = candidates.map((candidate) => judgeWatched(rules.judge(candidate), watched));
  if (judgements.length === 0) return SILENT;
  // A line is granted by its steps; where it runs and what it reads can only restrict it.
  const granting = command === undefined ? judgements : judgements.slice(visits.length);
  const isGranted = granting.every(({ allow }) => allow.length > 0);
  return {
    deny: once(judgements.flatMap(({ deny }) => deny)),
    ask: once(judgements.flatMap(({ ask }) => ask)),
    // Exact only where every part is named exactly: one hit answers for the whole call.
    allow: isGranted ? exactTogether(once(granting.flatMap(({ allow }) => allow))) : [],
  };
};

/**
 * A program text has no words that a rule could name, so only a rule about the whole family reaches it, and none grants it:
 * what it would do nobody can say beforehand.
 */
const PROGRAM: Candidate = { family: 'Bash', steps: [{ argv: [] }], privateInput: true };

const toCandidate = (visit: Visit): PathCandidate | FetchCandidate =>
  'url' in visit ? { family: 'WebFetch', url: visit.url } : toPathCandidate(visit);

/** A place as `Read` or `Edit` rules see it: also one that a directory listing comes upon. */
export const toPathCandidate = ({ named, access, landing }: PathVisit): PathCandidate => ({
  family: access === 'write' ? 'Edit' : 'Read',
  path: canonicalPath(named, WORKSPACE_ROOT),
  ...(landing === undefined ? {} : { landing: canonicalPath(landing, WORKSPACE_ROOT) }),
  spellings: [named, ...(landing === undefined ? [] : [landing])].flatMap((path) => spellingsOf(path, WORKSPACE_ROOT)),
});

const once = (hits: readonly RuleHit[]): readonly RuleHit[] => [
  ...new Map(hits.map((hit) => [JSON.stringify([hit.layer, hit.rule, hit.exact === true]), hit])).values(),
];

const exactTogether = (hits: readonly RuleHit[]): readonly RuleHit[] => {
  const exact = hits.every((hit) => hit.exact === true);
  return hits.map((hit) => ({ ...hit, exact }));
};
