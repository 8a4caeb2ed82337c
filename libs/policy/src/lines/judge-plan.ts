/** A plan as rules see it. Guarantees that a file a line reads or writes is named from the workspace's root, wherever the line runs; it must never leave a redirection out. */
import type { CandidateRedirect, CommandCandidate } from '../rules/candidate.ts';
import { canonicalPath, spellingsOf } from '../rules/spell-path.ts';
import type { LinePlan, Redirect } from './line-plan.ts';

export interface PlanPlace {
  /** Absolute root of the workspace. */
  readonly workspace: string;
  /** Where the line runs, from that root or absolute; absent or `.` is the root. */
  readonly directory?: string;
  /** Private bytes go in on standard input. */
  readonly privateInput?: boolean;
  /** Where links on the way of a redirection's path lead; absent or undefined: nowhere else. */
  readonly landingOf?: (path: string) => string | undefined;
}

export function candidateOfPlan(plan: LinePlan, place: PlanPlace): CommandCandidate {
  const steps = plan.steps.map((step) => ({
    argv: step.argv,
    env: step.env,
    redirects: step.redirects.map((redirect) => fromRoot(redirect, place)),
  }));
  return { family: 'Bash', steps, ...(place.privateInput === true ? { privateInput: true } : {}) };
}

function fromRoot({ op, path }: Redirect, place: PlanPlace): CandidateRedirect {
  if (path === undefined) return { op };
  const named = path.startsWith('/') ? path : `${place.directory ?? '.'}/${path}`;
  const canonical = canonicalPath(named, place.workspace);
  const landing = place.landingOf?.(canonical);
  return {
    op,
    path: canonical,
    spellings: spellingsOf(named, place.workspace),
    ...(landing === undefined ? {} : { landing }),
  };
}
