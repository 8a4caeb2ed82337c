/** Turns whatever went wrong into one sentence a person can act on; it must never show markup, a stack or a raw body. */

export interface Problem {
  status: number;
  code: string;
  /** What was wrong and what to do. */
  sentence: string;
  /** Finds the occurrence in the server's log; empty when there is none. */
  reference: string;
  /** Finds what every process did for the request; absent when the server named none. */
  trace?: string;
  retryable: boolean;
}

export class ProblemError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.sentence);
    this.name = 'ProblemError';
    this.problem = problem;
  }
}

/** Reads an RFC 9457 body; anything else yields a sentence from the status alone. */
export function problemOf(status: number, body: unknown): Problem {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const field = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
  return {
    status,
    code: field('code'),
    sentence: field('detail') || field('title') || sentenceOfStatus(status),
    reference: field('reference'),
    ...(field('trace_id') && { trace: field('trace_id') }),
    retryable: fields['retryable'] === true || status === 429 || status >= 502,
  };
}

function sentenceOfStatus(status: number): string {
  if (status === 0) return 'The server cannot be reached. Check that Bravo is running, then try again.';
  if (status === 401) return 'Your session has ended. Sign in again.';
  if (status === 403) return 'You are not allowed to do that.';
  if (status === 404) return 'It is not there, or it is not yours.';
  if (status === 409) return 'It has changed in the meantime. The page shows the present state.';
  if (status === 429) return 'A limit is reached. Wait a moment, then try again.';
  return `The server answered with status ${status} and gave no reason. Try again.`;
}

/** Any thrown value as a problem. A failed fetch is a lost connection; the rest is ours. */
export function toProblem(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  if (error instanceof TypeError)
    return { status: 0, code: 'unreachable', sentence: sentenceOfStatus(0), reference: '', retryable: true };
  return {
    status: 0,
    code: 'page',
    sentence: 'The page could not read the answer of the server. Reload it.',
    reference: '',
    retryable: false,
  };
}

/** The sentence with the reference and the trace a person can quote. */
export function problemText(problem: Problem): string {
  if (problem.reference === '') return problem.sentence;
  const trace = problem.trace === undefined ? '' : `, trace ${problem.trace}`;
  return `${problem.sentence} (reference ${problem.reference}${trace})`;
}
