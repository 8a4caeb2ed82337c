/** What the trail keeps of a line that ran: numbers and digests, never a word of it. */
import { createHash } from 'node:crypto';
import type { JobReading } from '../../sandbox/sandbox.ts';
import type { EffectResult } from '../effect.ts';

export const digestOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** @param plan canonical text of the bound plan. */
export const ranOf = (end: JobReading, notices: readonly string[], plan: string): NonNullable<EffectResult['ran']> => {
  const last = end.steps.filter(({ ran }) => ran).at(-1);
  return {
    language: 'line',
    outcome: end.outcome,
    exitCode: last?.exitCode ?? 0,
    durationMs: end.durationMs,
    codeBytes: Buffer.byteLength(plan),
    codeDigest: digestOf(plan),
    signal: /^SIG[A-Z0-9]{1,10}$/.test(last?.signal ?? '') ? (last?.signal ?? '') : '',
    limitsHit: [
      ...(['timed_out', 'oom_killed', 'output_limit'].includes(end.outcome) ? [end.outcome] : []),
      ...(end.stdoutTruncated ? ['stdout_truncated'] : []),
      ...(end.stderrTruncated ? ['stderr_truncated'] : []),
      ...(end.changesLost ? ['changes_lost'] : []),
      ...(notices.length > 0 ? ['asked_for_more'] : []),
    ],
    stdoutBytes: end.stdout.length,
    stdoutDigest: digestOf(end.stdout),
    stderrBytes: end.stderr.length,
    stderrDigest: digestOf(end.stderr),
    files: end.changed.length,
    fileBytes: 0,
    filesDigest: digestOf(end.changed.join('\n')),
    filesLeftOut: 0,
  };
};
