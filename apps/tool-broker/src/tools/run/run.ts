/** Carries the approved plan out under the tool call's id, so that it runs at most once whoever asks. What is carried out is the bound plan; the line itself is never read again. */
import { canonicalJson } from '@bravo/policy';
import { type JobOwner, jobName, type KnownJob } from '../../jobs/job.ts';
import { tellEnd } from '../../jobs/tell-steps.ts';
import { type BoundPlan, readBoundPlan } from '../../lines/plan-of-call.ts';
import type { JobReading } from '../../sandbox/sandbox.ts';
import { NothingBegan } from '../../sandbox/sandbox.ts';
import type { BoundEffect, EffectResult, EffectTools, Execute } from '../effect.ts';
import { failed } from '../effect.ts';
import { outputsOfJob } from './outputs-of-job.ts';
import { digestOf, ranOf } from './ran-of-job.ts';

const WATCH_SECONDS = 30;

export const run: Execute = async (effect, tools, signal) => {
  const { call, who, toolCallId } = effect;
  const plan = readBoundPlan(call.targets);
  const background = call.arguments['background'] === true;
  const text = canonicalJson(call.targets['command'] ?? null);
  const owner: JobOwner = { conversationId: who.conversationId, workspaceId: who.workspaceId, userId: who.userId };
  // What only reads can spoil nothing, so nobody has to look away meanwhile.
  const begun =
    plan.reads === undefined
      ? await tools.jobs.begin({
          ...{ ...owner, id: toolCallId, background, trustOutput: effect.trustOutput && effect.trustOutputOffered },
          ...{ planDigest: digestOf(text), planBytes: Buffer.byteLength(text) },
        })
      : undefined;
  if (!effect.recovered && (begun?.isNew ?? true)) {
    const changed = await hasChanged(effect, tools);
    if (changed) {
      if (begun !== undefined) await tools.jobs.withdraw(toolCallId);
      return failed(
        'conflict',
        'A file the line names is not the one that was judged, so nothing was run. Make the call again.',
      );
    }
  }
  const notices = await start(effect, plan, tools, background);
  if (background && begun !== undefined)
    return { status: 'completed', summary: [...notices, started(begun.job)], outputs: [] };
  const end = await watchToItsEnd(effect, tools, signal);
  if (begun !== undefined) await tools.jobs.settle(begun.job, end, false);
  const proven = plan.reads !== undefined && (await isVouchedFor(effect, plan.reads, tools));
  return resultOf(end, notices, proven, text);
};

const started = (job: KnownJob): string =>
  `It runs in the background as ${jobName(job)}. job_output tells what it prints and ends it; its end is told to you by itself. While it runs nobody vouches for any file, so files come back as references.`;

const start = async (
  { call, who, toolCallId, recovered }: BoundEffect,
  plan: BoundPlan,
  { sandbox, readSlot, jobs }: EffectTools,
  background: boolean,
): Promise<readonly string[]> => {
  const slot = call.targets['stdin_ref'];
  const directory = call.targets['directory'];
  try {
    return await sandbox.runJob(who, {
      jobId: toolCallId,
      plan: { steps: plan.steps, connectors: plan.connectors },
      directory: typeof directory === 'string' ? directory : '',
      stdin: typeof slot === 'number' ? (await readSlot(who.conversationId, slot)).content : new Uint8Array(),
      timeoutSeconds: background ? 0 : Number(call.arguments['deadline_seconds'] ?? 0),
      background,
    });
  } catch (error) {
    if (!recovered && (error instanceof NothingBegan || isRefusal(error))) await jobs.withdraw(toolCallId);
    throw error;
  }
};

/** Codes the sandbox refuses with before anything has started. */
const isRefusal = (error: unknown): boolean =>
  ['invalid_argument', 'sandbox_unavailable', 'resource_exhausted', 'not_found'].includes(
    (error as { code?: string }).code ?? '',
  );

const watchToItsEnd = async (
  { who, toolCallId }: BoundEffect,
  { sandbox }: EffectTools,
  signal: AbortSignal,
): Promise<JobReading> => {
  const cancel = (): void => void sandbox.cancelJob(who, toolCallId).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    if (signal.aborted) cancel();
    for (;;) {
      const look = { jobId: toolCallId, stdoutFrom: 0, stderrFrom: 0, waitSeconds: WATCH_SECONDS, untilEnd: true };
      const reading = await sandbox.readJob(who, look);
      if (reading.ended) return reading;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

/** Whether a file the answer was given for is another by now. */
const hasChanged = async ({ call, who }: BoundEffect, { sandbox }: EffectTools): Promise<boolean> => {
  for (const [path, revision] of Object.entries(call.revisions)) {
    const facts = await sandbox.stat(who, path);
    if ((facts.exists ? facts.revision : null) !== revision) return true;
  }
  return false;
};

/**
 * INVARIANT: looked at after the line has ended. A write marks its path before it writes and changes the revision, and while
 * programs run nothing is vouched for; so what is vouched for now, and is what it was when it was judged, is what was read.
 */
const isVouchedFor = async (effect: BoundEffect, reads: readonly string[], tools: EffectTools): Promise<boolean> => {
  const { conversationId } = effect.who;
  if (reads.length === 0) return true;
  if (await hasChanged(effect, tools)) return false;
  return (await tools.trustOf(conversationId, reads)).every((trust) => trust === 'trusted');
};

const resultOf = (end: JobReading, notices: readonly string[], proven: boolean, text: string): EffectResult => {
  const outputs = outputsOfJob(end);
  const silent = end.outcome === 'ok' && outputs.length === 0;
  return {
    status: end.outcome === 'outcome_unknown' ? 'outcome_unknown' : 'completed',
    summary: [...tellEnd(end), ...notices, ...(silent ? ['It printed nothing.'] : [])],
    outputs,
    proven,
    steps: end.steps,
    ran: ranOf(end, notices, text),
  };
};
