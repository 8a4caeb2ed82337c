/** What a call would do, as rules see it. Guarantees that only routing is in it (words of a program, paths, hosts, names); it must never hold content. */

export type RedirectOperator = '>' | '>>' | '<' | '2>' | '2>>' | '&>' | '2>&1';

export interface CandidateRedirect {
  readonly op: RedirectOperator;
  /** Absent only where the redirection names no file. */
  readonly path?: string;
  readonly landing?: string;
  readonly spellings?: readonly string[];
}

export interface CandidateStep {
  /** The program, then its arguments, each one word. */
  readonly argv: readonly string[];
  readonly redirects?: readonly CandidateRedirect[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface CommandCandidate {
  readonly family: 'Bash';
  readonly steps: readonly CandidateStep[];
  /** Private bytes go in on standard input. */
  readonly privateInput?: boolean;
}

export interface PathCandidate {
  readonly family: 'Read' | 'Edit';
  /** As the call names it: from the workspace's root for a file inside it, absolute outside. */
  readonly path: string;
  /** Where links lead, in the same form; absent where there are none. */
  readonly landing?: string;
  /** Other names of the same file, for the lists that restrict. */
  readonly spellings?: readonly string[];
  /** The destination is known through a reference only. */
  readonly byReference?: boolean;
}

export interface FetchCandidate {
  readonly family: 'WebFetch';
  readonly url?: string;
  readonly host?: string;
}

export interface ToolCandidate {
  readonly family: 'Mcp';
  readonly server: string;
  readonly tool: string;
  readonly privateArguments?: boolean;
}

export type Candidate = CommandCandidate | PathCandidate | FetchCandidate | ToolCandidate;

/** The one file a program may write to without asking: what goes there is gone. */
export const NULL_DEVICE = '/dev/null';

/**
 * The questions no allow rule answers: private input to a program (a file read in by `<` is private), a write into a
 * file, an environment assignment, private data to a server, a write through a reference.
 */
export function isBeyondAllowRules(candidate: Candidate): boolean {
  switch (candidate.family) {
    case 'Bash':
      return candidate.privateInput === true || candidate.steps.length === 0 || candidate.steps.some(isStepBeyond);
    case 'Mcp':
      return candidate.privateArguments === true;
    case 'Read':
    case 'Edit':
      return candidate.byReference === true;
    case 'WebFetch':
      return false;
  }
}

function isStepBeyond(step: CandidateStep): boolean {
  const assigns = step.env !== undefined && Object.keys(step.env).length > 0;
  return assigns || (step.redirects ?? []).some((redirect) => redirect.op !== '2>&1' && !isDiscarded(redirect));
}

function isDiscarded(redirect: CandidateRedirect): boolean {
  return redirect.op !== '<' && redirect.path === NULL_DEVICE;
}
