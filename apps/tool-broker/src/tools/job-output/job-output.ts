/** Looks at a background job: each byte is told once, by its place in its stream; an end is settled before it is told, and told once. */
import { type KnownJob, jobName, parseJobName } from '../../jobs/job.ts';
import { tellEnd } from '../../jobs/tell-steps.ts';
import type { JobReading } from '../../sandbox/sandbox.ts';
import { type EffectTools, type Execute, failed } from '../effect.ts';
import { outputsOfJob } from '../run/outputs-of-job.ts';
import { plural } from '../text.ts';

/** What a killed job has for its end to be seen in the same look. */
const KILL_SECONDS = 10;

export const jobOutput: Execute = async ({ call, who }, tools, signal) => {
  const name = String(call.arguments['job']);
  const job = await tools.jobs.find(who.conversationId, parseJobName(name) ?? 0);
  if (job === undefined || job.number === 0)
    return failed(
      'not_found',
      `There is no job ${name} in this conversation. run with background starts one and names it.`,
    );
  const kill = call.arguments['kill'] === true;
  if (kill && !job.ended) await tools.sandbox.cancelJob(who, job.id);
  const wait = kill ? KILL_SECONDS : Number(call.arguments['wait_seconds'] ?? 0);
  const began = Date.now();
  const reading = await look(job, kill, wait, tools, signal);
  if (reading === undefined) return still(job, watched(began));
  if (reading.ended) await tools.jobs.settle(job, reading, false);
  const lost = reading.stdoutAt - job.stdoutSeen + (reading.stderrAt - job.stderrSeen);
  await tools.jobs.saw(job.id, {
    stdout: reading.stdoutAt + reading.stdout.length,
    stderr: reading.stderrAt + reading.stderr.length,
    end: reading.ended,
  });
  const summary = [
    ...(reading.ended ? [`${jobName(job)} has ended.`, ...tellEnd(reading)] : [`${jobName(job)} is still running.`]),
    ...counts(reading),
    ...(lost > 0 ? [`${plural(lost, 'byte')} before that came too long ago and are no longer kept.`] : []),
    ...(wait > 0 ? [watched(began)] : []),
  ];
  return {
    status: 'completed',
    summary,
    outputs: outputsOfJob(reading),
    trustOutput: job.trustOutput,
    ...(reading.ended ? { steps: reading.steps } : {}),
  };
};

/** Undefined when the caller can wait no longer before there was anything to tell. */
const look = async (
  job: KnownJob,
  untilEnd: boolean,
  waitSeconds: number,
  { sandbox }: EffectTools,
  signal: AbortSignal,
): Promise<JobReading | undefined> => {
  const place = { jobId: job.id, stdoutFrom: job.stdoutSeen, stderrFrom: job.stderrSeen };
  try {
    return await sandbox.readJob(job, { ...place, waitSeconds, untilEnd }, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    return undefined;
  }
};

const counts = ({ stdout, stderr }: Pick<JobReading, 'stdout' | 'stderr'>): readonly string[] => [
  stdout.length + stderr.length === 0
    ? 'It has printed nothing new.'
    : `New: ${plural(stdout.length, 'byte')} of standard output, ${plural(stderr.length, 'byte')} of error output.`,
];

const watched = (began: number): string =>
  `Watched for ${plural(Math.round((Date.now() - began) / 1_000), 'second')}; nothing is watching now.`;

const still = (job: KnownJob, sentence: string) => ({
  status: 'completed' as const,
  summary: [`${jobName(job)} is still running.`, 'It has printed nothing new.', sentence],
  outputs: [],
});
