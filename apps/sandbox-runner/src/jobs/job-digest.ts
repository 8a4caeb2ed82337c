/** One digest over everything a job was asked to do: the same id with another digest is another job, and refused. */
import { createHash } from 'node:crypto';
import type { JobRequest } from './job.ts';

export const jobDigest = ({
  conversationId,
  plan,
  directory,
  stdin,
  limits,
  background,
  place,
}: JobRequest): string => {
  const hash = createHash('sha256');
  const steps = plan.steps.map(({ argv, program, env, redirects }) => [
    argv,
    program,
    Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1)),
    redirects.map(({ op, path }) => [op, path]),
  ]);
  const head = JSON.stringify([
    ...['job/1', conversationId, directory, background],
    ...[steps, plan.connectors, limits.timeoutSeconds, limits.memoryMb, limits.cpu, stdin === 'live'],
    ...(place === 'everyday' ? [] : [place]),
  ]);
  hash.update(`${Buffer.byteLength(head)}:`).update(head);
  if (stdin !== 'live') hash.update(stdin);
  return hash.digest('hex');
};
