/** Carries a recorded effect out. Guarantees that an effect whose end nobody saw is asked for again by its id or called unknown, never repeated under another. */
import { isFault, type FaultCode } from '@bravo/faults';
import type { ToolCatalogue } from '../manifests/catalogue.ts';
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
  const reads = steps.catalogue.get(effect.call.tool)?.manifest.effect === 'read';
  if (execute === undefined) return failedWith('internal', 'There is nothing that can carry out this tool.');
  for (;;) {
    try {
      return await execute(effect, steps.tools, signal);
    } catch (error) {
      const code: FaultCode = isFault(error) ? error.code : 'internal';
      const sentence = isFault(error) && error.row.public ? error.detail : 'Something went wrong on our side.';
      if (SAYS_NOTHING.includes(code)) {
        if (steps.now() - began < (reads ? Math.min(steps.patienceMs, 5_000) : steps.patienceMs)) {
          await steps.sleep(RETRY_MS);
          continue;
        }
        return reads ? failedWith(code, sentence) : unknownWith(code, sentence);
      }
      return !reads && UNKNOWN.includes(code) ? unknownWith(code, sentence) : failedWith(code, sentence);
    }
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
