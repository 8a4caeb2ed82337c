/** Carries a recorded effect out. Guarantees that an effect whose end nobody saw is asked for again by its id or called unknown, never repeated under another; and that it ends within its tool's limit. */
import { Fault, isFault, type FaultCode } from '@bravo/faults';
import type { ToolCatalogue } from '../manifests/catalogue.ts';
import { NothingBegan } from '../sandbox/sandbox.ts';
import type { BoundEffect, EffectResult, EffectTools, Execute } from '../tools/effect.ts';
import type { ToolCallLedger } from './tool-call-ledger.ts';

export interface ExecuteSteps {
  readonly executors: Readonly<Record<string, Execute>>;
  readonly catalogue: ToolCatalogue;
  readonly tools: EffectTools;
  readonly ledger: Pick<ToolCallLedger, 'beat'>;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** How long a peer that does not answer is asked again before the outcome is called unknown. */
  readonly patienceMs: number;
}

export type ExecuteEffect = (
  effect: BoundEffect,
  signal: AbortSignal,
) => Promise<EffectResult & { durationMs: number }>;

const BEAT_MS = 2_000;
const RETRY_MS = 500;
/** A person waits for what a read shows, and nothing is lost when it is made again. */
const READ_PATIENCE_MS = 5_000;
/** What an effect that was told to end has for saying how it ended. */
const LAST_WORD_MS = 5_000;
/** The peer may or may not have begun; the same id asked again cannot begin twice. */
const SAYS_NOTHING: readonly FaultCode[] = ['unavailable', 'deadline_exceeded', 'turn_cancelled'];
const UNKNOWN: readonly FaultCode[] = ['outcome_unknown', 'internal'];

export const createExecuteEffect =
  (steps: ExecuteSteps): ExecuteEffect =>
  async (effect, signal) => {
    const began = steps.now();
    const beat = setInterval(() => void steps.ledger.beat(effect.toolCallId).catch(() => undefined), BEAT_MS);
    try {
      return { ...(await attempt(steps, effect, began, signal)), durationMs: Math.max(0, steps.now() - began) };
    } finally {
      clearInterval(beat);
    }
  };

const attempt = async (
  steps: ExecuteSteps,
  effect: BoundEffect,
  began: number,
  signal: AbortSignal,
): Promise<EffectResult> => {
  const execute = steps.executors[effect.call.tool];
  const manifest = steps.catalogue.get(effect.call.tool)?.manifest;
  if (execute === undefined || manifest === undefined)
    return failedWith('internal', 'There is nothing that can carry out this tool.');
  const reads = manifest.effect === 'read';
  const patienceMs = reads ? Math.min(steps.patienceMs, READ_PATIENCE_MS) : steps.patienceMs;
  const endsAt = began + manifest.limits.timeoutSeconds * 1_000;
  /** A process that died may have begun before this one was asked. */
  let mayHaveBegun = effect.recovered;
  let unansweredSince: number | undefined;
  for (;;) {
    try {
      return await withinLimit(endsAt - steps.now(), signal, (limited) =>
        execute(effect, toolsSince(steps.tools, began), limited),
      );
    } catch (error) {
      const code: FaultCode = isFault(error) ? error.code : 'internal';
      const sentence = isFault(error) && error.row.public ? error.detail : 'Something went wrong on our side.';
      if (!(error instanceof NothingBegan)) mayHaveBegun = true;
      if (SAYS_NOTHING.includes(code)) {
        unansweredSince ??= steps.now();
        if (steps.now() < Math.min(unansweredSince + patienceMs, endsAt)) {
          await steps.sleep(RETRY_MS);
          continue;
        }
        return reads || !mayHaveBegun ? failedWith(code, sentence) : unknownWith(code, sentence);
      }
      return !reads && mayHaveBegun && UNKNOWN.includes(code)
        ? unknownWith(code, sentence)
        : failedWith(code, sentence);
    }
  }
};

/** What is read while a program runs, or ran, is vouched for by nobody: also when it has ended before the reading is labelled. */
const toolsSince = (tools: EffectTools, began: number): EffectTools => ({
  ...tools,
  trustOf: (conversationId, paths) => tools.trustOf(conversationId, paths, new Date(began)),
  trustOfNames: (conversationId, paths) => tools.trustOfNames(conversationId, paths, new Date(began)),
});

/** What is told to end and does not is left behind: its outcome is then as good as unknown. */
const withinLimit = async (
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<EffectResult>,
): Promise<EffectResult> => {
  const limit = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const late = new Promise<never>((_, reject) => {
    const giveUp = (): void =>
      reject(new Fault('deadline_exceeded', 'It took longer than this tool may take, so it was told to end.'));
    const end = (): void => {
      limit.abort();
      timers.push(setTimeout(giveUp, LAST_WORD_MS));
    };
    timers.push(setTimeout(end, Math.max(ms, 1)));
  });
  try {
    return await Promise.race([work(AbortSignal.any([signal, limit.signal])), late]);
  } finally {
    timers.forEach(clearTimeout);
  }
};

const failedWith = (errorCode: string, sentence: string): EffectResult => ({
  status: 'failed',
  summary: [sentence],
  outputs: [],
  errorCode,
});

const unknownWith = (errorCode: string, sentence: string): EffectResult => ({
  status: 'outcome_unknown',
  summary: [
    'It is not known whether this took effect, and it is not repeated by itself.',
    sentence,
    'Tell the person, and let them decide what to do.',
  ],
  outputs: [],
  errorCode,
});
