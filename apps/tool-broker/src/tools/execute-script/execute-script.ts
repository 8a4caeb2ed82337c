/** Runs the approved program in the sandbox under the tool call's id, so that it runs at most once whoever asks, and brings everything out as outputs. */
import { createHash } from 'node:crypto';
import type { JsonObject } from '@bravo/policy';
import type { Executed } from '../../sandbox/sandbox.ts';
import { type EffectOutput, type Execute, failed } from '../effect.ts';
import { isText, plural } from '../text.ts';

const MAX_INPUT_BYTES = 8 * 1024 * 1024;

export const executeScript: Execute = async ({ toolCallId, call, who }, { sandbox }, signal) => {
  const files: { path: string; content: Uint8Array }[] = [];
  for (const [path, landing] of Object.entries((call.targets['files'] ?? {}) as JsonObject)) {
    const read = await sandbox.read(who, landing as string, MAX_INPUT_BYTES);
    if (read.truncated)
      return failed('payload_too_large', `A file that goes in is larger than ${MAX_INPUT_BYTES} bytes.`);
    const { exists, revision, landing: found } = read.facts;
    if (!exists || found !== landing || revision !== call.revisions[landing as string]) {
      return failed(
        'conflict',
        'A file that goes in is not the one the person saw, so nothing was run. Make the call again.',
      );
    }
    files.push({ path, content: read.content });
  }
  const code = call.arguments['code'] as string;
  const executed = await sandbox.execute(
    who,
    {
      executionId: toolCallId,
      language: call.arguments['language'] as string,
      code,
      files,
      env: (call.arguments['env'] ?? {}) as Record<string, string>,
      timeoutSeconds: (call.arguments['timeout_seconds'] ?? 0) as number,
      memoryMb: (call.arguments['memory_mb'] ?? 0) as number,
    },
    signal,
  );
  return {
    // A program that ended, however it ended, is a call that did what was asked.
    status: executed.outcome === 'outcome_unknown' ? 'outcome_unknown' : 'completed',
    summary: summaryOf(executed),
    outputs: outputsOf(executed),
    ran: {
      language: call.arguments['language'] as string,
      outcome: executed.outcome,
      exitCode: executed.exitCode,
      durationMs: executed.durationMs,
      codeBytes: Buffer.byteLength(code),
      codeDigest: digestOf(code),
      signal: /^SIG[A-Z0-9]{1,10}$/.test(executed.signal) ? executed.signal : '',
      limitsHit: limitsHitOf(executed),
      stdoutBytes: executed.stdout.length,
      stdoutDigest: digestOf(executed.stdout),
      stderrBytes: executed.stderr.length,
      stderrDigest: digestOf(executed.stderr),
      files: executed.files.length,
      fileBytes: executed.files.reduce((sum, { content }) => sum + content.length, 0),
      filesDigest: digestOf(executed.files.map(({ path, content }) => `${digestOf(content)} ${path}\n`).join('')),
      filesLeftOut: executed.skipped.length,
    },
  };
};

const digestOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** Words of ours, each once: what ended the program, what was cut, and what was asked for and lowered. */
const limitsHitOf = (executed: Executed): string[] => [
  ...(['timed_out', 'oom_killed', 'output_limit'].includes(executed.outcome) ? [executed.outcome] : []),
  ...(executed.stdoutTruncated ? ['stdout_truncated'] : []),
  ...(executed.stderrTruncated ? ['stderr_truncated'] : []),
  ...(executed.skipped.length > 0 ? ['files_left_out'] : []),
  ...(executed.notices.length > 0 ? ['asked_for_more'] : []),
];

const ENDS: Readonly<Record<string, string>> = {
  timed_out: 'It was ended because it took longer than allowed.',
  cancelled: 'It was cancelled.',
  oom_killed: 'It was ended because it used more memory than allowed.',
  output_limit: 'It was ended because it printed more than allowed.',
  outcome_unknown: 'It was started, and it is not known how it ended. It is not run again by itself.',
};

const summaryOf = (executed: Executed): readonly string[] => {
  const lines = [
    executed.outcome === 'outcome_unknown'
      ? ENDS['outcome_unknown']!
      : `Exit code ${executed.exitCode} after ${executed.durationMs} ms.`,
  ];
  // Written by the kernel or by the sandbox, so it is a word of a closed list and not the program's.
  if (/^SIG[A-Z0-9]{1,10}$/.test(executed.signal)) lines.push(`Ended by ${executed.signal}.`);
  const end = ENDS[executed.outcome];
  if (end !== undefined && executed.outcome !== 'outcome_unknown') lines.push(end);
  lines.push(...executed.notices);
  if (executed.stdoutTruncated || executed.stderrTruncated) lines.push('Its output was cut.');
  if (executed.skipped.length > 0)
    lines.push(`${plural(executed.skipped.length, 'file')} it wrote could not be taken out.`);
  if (executed.outcome === 'ok' && executed.stdout.length === 0 && executed.stderr.length === 0)
    lines.push('It printed nothing.');
  return lines;
};

const outputsOf = (executed: Executed): readonly EffectOutput[] => {
  const outputs: EffectOutput[] = [];
  const add = (origin: string, name: string, content: Uint8Array): void => {
    if (content.length > 0 || name !== '')
      outputs.push({ origin, name, kind: isText(content) ? 'text' : 'binary', content, paths: [] });
  };
  add('standard output of the program', '', executed.stdout);
  add('error output of the program', '', executed.stderr);
  executed.files.forEach(({ path, content }, index) =>
    add(`file ${index + 1} of ${executed.files.length} the program wrote`, path, content),
  );
  return outputs;
};
