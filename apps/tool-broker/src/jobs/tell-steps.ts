/** How the steps of a line ended, in words of the broker's own: numbers and a closed list of reasons, never a name or a word of the line. */
import type { JobReading, StepEnd } from '../sandbox/sandbox.ts';
import { plural } from '../tools/text.ts';

const FAILURES: Readonly<Record<string, string>> = {
  not_found: 'could not be started: its program is gone',
  not_a_program: 'could not be started: that file is no program that may be run',
  redirect: 'was not started: a redirection of it leads to no regular file',
  directory: 'was not started: the directory is gone or leads through a link',
};

const ENDS: Readonly<Record<string, string>> = {
  timed_out: 'It was ended because it took longer than allowed.',
  cancelled: 'It was ended before its time.',
  oom_killed: 'It was ended because it used more memory than allowed.',
  output_limit: 'It was ended because it printed more than allowed.',
  outcome_unknown: 'It was started, and it is not known how it ended. It is not run again by itself.',
};

const tellStep = ({ ran, exitCode, signal, failure }: StepEnd, at: number): string => {
  const which = `Step ${at + 1}`;
  if (!ran) return `${which} did not run to an end.`;
  if (failure !== '') return `${which} ${FAILURES[failure] ?? 'could not be started'}.`;
  const by = /^SIG[A-Z0-9]{1,10}$/.test(signal) ? ` by ${signal}` : '';
  return `${which} exited with ${exitCode}${by}.`;
};

/** One sentence for runs of steps that ended alike, so that a long line stays readable. */
export const tellSteps = (steps: readonly StepEnd[]): readonly string[] => {
  const usual = steps.every(({ ran, exitCode }) => ran && exitCode === 0);
  return usual && steps.length > 1 ? [`All ${steps.length} steps exited with 0.`] : steps.map(tellStep);
};

export const tellEnd = (end: JobReading): readonly string[] => {
  const sentences = [...(end.outcome === 'outcome_unknown' ? [] : tellSteps(end.steps))];
  const why = ENDS[end.outcome];
  if (why !== undefined) sentences.push(why);
  if (end.stdoutTruncated || end.stderrTruncated) sentences.push('Its output was cut.');
  if (end.changesLost && end.outcome !== 'outcome_unknown')
    sentences.push('What it left among the files could not be kept, so the files are as they were before.');
  else if (end.changed.length > 0)
    sentences.push(`It changed ${plural(end.changed.length, 'path')}; nobody vouches for what is there now.`);
  return sentences;
};
