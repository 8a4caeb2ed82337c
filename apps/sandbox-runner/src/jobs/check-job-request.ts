/** Lets a plan through only when every word of it is well formed; names the first that is not, before anything has started. */
import { LIMITS } from '@bravo/policy';
import { flawOfPath, parsePath, shown } from '@bravo/workspace-files';
import { checkEnvironment, ID, megabytes, refuse } from '../executions/check-execution-request.ts';
import { clampLimits, DEFAULT_LIMITS, MAXIMUM_LIMITS, type LimitBounds } from '../executions/clamp-limits.ts';
import type { Limits } from '../executions/sandbox-backend.port.ts';
import { BACKGROUND_SECONDS, JOB_LIMITS, type JobRequest } from './job.ts';
import { CONNECTORS, JOB_PLACES, REDIRECTS, type Plan, type PlanRedirect, type PlanStep } from './job-backend.port.ts';

export interface AskedStep {
  readonly argv: readonly string[];
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  readonly redirects: readonly { readonly op: string; readonly path: string }[];
}

export interface AskedJob {
  readonly workspaceId: string;
  readonly jobId: string;
  readonly conversationId: string;
  readonly plan: { readonly steps: readonly AskedStep[]; readonly connectors: readonly string[] } | undefined;
  readonly directory: string;
  readonly stdin: Uint8Array | 'live';
  readonly limits: Limits;
  readonly background: boolean;
  /** Of a session; empty or absent: among the everyday programs. */
  readonly place?: string;
}

const within = <T extends string>(known: readonly T[], value: string): value is T =>
  (known as readonly string[]).includes(value);

const checkText = (field: string, text: string): void => {
  if (!text.isWellFormed() || text.includes('\0'))
    refuse(field, `${shown(text)} holds NUL or is no valid Unicode text.`);
};

const checkRedirect = (field: string, { op, path }: AskedStep['redirects'][number]): PlanRedirect => {
  if (!within(REDIRECTS, op)) return refuse(field, `The redirection ${shown(op)} is not known.`);
  if ((op === '2>&1') !== (path === ''))
    refuse(field, op === '2>&1' ? 'The redirection 2>&1 names no file.' : `The redirection ${op} names no file.`);
  checkText(field, path);
  if (Buffer.byteLength(path) > 4_096) refuse(field, `The path ${shown(path)} is too long.`);
  return { op, path };
};

const checkStep = ({ argv, program, env, redirects }: AskedStep, at: number): PlanStep => {
  const field = `plan.steps.${at}`;
  if ((argv[0] ?? '') === '') refuse(field, `Step ${at + 1} names no program.`);
  if (argv.length > JOB_LIMITS.words) refuse(field, `Step ${at + 1} has more than ${JOB_LIMITS.words} words.`);
  for (const word of argv) checkText(field, word);
  if (argv.reduce((sum, word) => sum + Buffer.byteLength(word) + 1, 0) > JOB_LIMITS.wordsBytes)
    refuse(field, `The words of step ${at + 1} are longer than 256 KiB together.`);
  if (!program.startsWith('/') || program.split('/').includes('..') || program.includes('\0'))
    refuse(field, `The program of step ${at + 1} is no absolute path.`);
  return { argv, program, env: checkEnvironment(env), redirects: redirects.map((each) => checkRedirect(field, each)) };
};

export const checkPlan = (asked: AskedJob['plan']): Plan => {
  if (asked === undefined || asked.steps.length === 0) return refuse('plan', 'The plan has no step.');
  const { steps, connectors } = asked;
  if (steps.length > JOB_LIMITS.steps) refuse('plan', `A plan has at most ${JOB_LIMITS.steps} steps.`);
  if (connectors.length !== steps.length - 1)
    refuse('plan', 'Between each step and the next there is exactly one connector.');
  const known = connectors.map((connector) =>
    within(CONNECTORS, connector) ? connector : refuse('plan', `The connector ${shown(connector)} is not known.`),
  );
  return { steps: steps.map(checkStep), connectors: known };
};

const seconds = (usual: number, most: number): LimitBounds => ({
  usual: { ...DEFAULT_LIMITS, timeoutSeconds: usual },
  most: { ...MAXIMUM_LIMITS, timeoutSeconds: most },
});
const FOREGROUND = seconds(LIMITS['run-deadline'].default, LIMITS['run-deadline'].value);
const BACKGROUND = seconds(BACKGROUND_SECONDS, BACKGROUND_SECONDS);
/** A language server keeps a model of everything it has read. */
const SERVERS: LimitBounds = {
  usual: { ...BACKGROUND.usual, memoryMb: 1_024 },
  most: { ...BACKGROUND.most, memoryMb: 2_048 },
};

/** Throws `invalid_argument` with the item's name in `meta.field`. */
export const checkJobRequest = (asked: AskedJob): JobRequest => {
  if (!ID.test(asked.jobId)) refuse('job_id', 'The job id is missing or not one.');
  if (!ID.test(asked.conversationId)) refuse('conversation_id', 'The conversation id is missing or not one.');
  const plan = checkPlan(asked.plan);
  const flaw = flawOfPath(asked.directory);
  if (flaw !== undefined) refuse('directory', `The directory ${shown(asked.directory)} ${flaw}.`);
  if (asked.stdin !== 'live' && asked.stdin.length > JOB_LIMITS.stdinBytes)
    refuse(
      'stdin',
      `What the first program reads is larger than ${megabytes(JOB_LIMITS.stdinBytes)}. Put it into a file.`,
    );
  const place = asked.place === '' ? 'everyday' : (asked.place ?? 'everyday');
  if (!within(JOB_PLACES, place)) return refuse('place', `The place ${shown(place)} is not known.`);
  const bounds = place === 'language_servers' ? SERVERS : asked.background ? BACKGROUND : FOREGROUND;
  const { limits, notices } = clampLimits(asked.limits, bounds);
  return {
    workspaceId: asked.workspaceId,
    executionId: asked.jobId,
    conversationId: asked.conversationId,
    plan,
    directory: parsePath(asked.directory).join('/'),
    stdin: asked.stdin,
    limits,
    background: asked.background,
    place,
    notices,
  };
};
