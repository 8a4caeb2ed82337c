/** One turn as a state machine over the pod's frames; pure, and closed: after an end nothing changes any more. */
import type { PodFrame } from './pod-frame.ts';
import { cancelled, failed, interrupted, type TurnEnd } from './turn-end.ts';

export interface TurnProgress {
  /** Everything said so far, as it is kept and as it was streamed. */
  readonly text: string;
  /** A tool call came in between: what follows begins a new paragraph. */
  readonly paragraphDue: boolean;
  readonly end: TurnEnd | undefined;
}

export interface Step {
  readonly progress: TurnProgress;
  /** To be streamed; empty for most frames. */
  readonly delta: string;
  /** A question of the pod's own, to be denied: only our approval store answers questions (D3). */
  readonly deny?: string;
}

export const BEGINNING: TurnProgress = { text: '', paragraphDue: false, end: undefined };

/** More than this is no answer; the pod is cut off rather than the database filled. */
export const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_DETAIL = 500;

const say = (progress: TurnProgress, content: string): Step => {
  if (content === '') return { progress, delta: '' };
  const delta = progress.paragraphDue && progress.text !== '' ? `\n\n${content.trimStart()}` : content;
  const text = progress.text + delta;
  if (Buffer.byteLength(text) > MAX_ANSWER_BYTES) {
    const end = failed('turn_failed', 'The answer grew past 1 MiB and was cut off.');
    return { progress: { ...progress, end }, delta: '' };
  }
  return { progress: { text, paragraphDue: false, end: undefined }, delta };
};

export const step = (progress: TurnProgress, frame: PodFrame): Step => {
  if (progress.end) return { progress, delta: '' };
  switch (frame.type) {
    case 'chunk':
      return say(progress, frame.content);
    case 'tool_call':
      return { progress: { ...progress, paragraphDue: progress.text !== '' }, delta: '' };
    case 'approval_request':
      return { progress, delta: '', deny: frame.requestId };
    case 'done': {
      // A runtime that does not stream says everything at the end.
      const said = progress.text === '' ? say(progress, frame.fullResponse) : { progress, delta: '' };
      if (said.progress.end) return said;
      const { inputTokens, outputTokens } = frame;
      return { ...said, progress: { ...said.progress, end: { status: 'completed', inputTokens, outputTokens } } };
    }
    case 'aborted':
      return { progress: { ...progress, end: cancelled }, delta: '' };
    case 'error':
      return { progress: { ...progress, end: endOfError(frame.code, frame.message) }, delta: '' };
    case 'session_start':
      return { progress, delta: '' };
  }
};

/** How a turn ends when its socket closes: as it had ended already, else cut off. */
export const endAtClose = (progress: TurnProgress): TurnEnd =>
  progress.end ?? interrupted('The agent pod ended in the middle of the turn.');

/** Codes that refuse only a frame sent while a turn runs; we send none of those, and the turn goes on. */
const NOT_TERMINAL = new Set([
  'STEERING_QUEUE_FULL',
  'STEERING_CLOSED',
  'INVALID_APPROVAL_RESPONSE',
  'INVALID_JSON',
  'UNKNOWN_MESSAGE_TYPE',
]);

/** The model gateway says why in a sentence of its own, which needs none before it. */
const isSentence = (words: string): boolean => /^\p{Lu}[^]*[.!?]$/u.test(words);

const endOfError = (code: string, message: string): TurnEnd | undefined => {
  if (NOT_TERMINAL.has(code)) return undefined;
  const words = message.slice(0, MAX_DETAIL) || 'The agent said nothing about why.';
  switch (code) {
    case 'PROVIDER_ERROR':
      return failed('model_failed', isSentence(words) ? words : `The model gave no usable answer: ${words}`);
    case 'AGENT_INIT_FAILED':
    case 'NEEDS_ONBOARDING':
    case 'INVALID_CWD':
      return failed('pod_unavailable', `The agent could not begin: ${words}`);
    default:
      return failed('turn_failed', `The agent could not finish: ${words}`);
  }
};
