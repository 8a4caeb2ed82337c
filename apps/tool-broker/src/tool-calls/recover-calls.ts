/** Brings calls of a dead process to their recorded end: an effect is asked for again by its id, which cannot run it twice; a read is simply given up. */
import type { ToolCatalogue } from '../manifests/catalogue.ts';
import type { BoundEffect } from '../tools/effect.ts';
import type { ExecuteEffect } from './execute-effect.ts';
import type { LabelOutput } from './label-output.ts';
import type { LiveEffects } from './live-effects.ts';
import type { PublishToolCall } from './publish-tool-call.ts';
import type { ToolCallLedger } from './tool-call-ledger.ts';

/** Several heartbeats: a busy process is not a dead one. */
export const RUNNER_SILENCE_MS = 10_000;

export interface RecoverSteps {
  readonly ledger: Pick<ToolCallLedger, 'takeOver'>;
  readonly catalogue: ToolCatalogue;
  readonly executeEffect: ExecuteEffect;
  readonly labelOutput: LabelOutput;
  readonly publishToolCall: PublishToolCall;
  readonly live: Pick<LiveEffects, 'run'>;
  readonly now: () => number;
  readonly onError: (error: unknown, toolCallId: string) => void;
}

/** Resolves once the calls are taken over; they go on by themselves. */
export const createRecoverCalls =
  ({ ledger, catalogue, executeEffect, labelOutput, publishToolCall, live, now, onError }: RecoverSteps) =>
  async (): Promise<readonly Promise<void>[]> => {
    const bringToEnd = async (effect: BoundEffect): Promise<void> => {
      const reads = catalogue.get(effect.call.tool)?.manifest.effect === 'read';
      const result = reads
        ? {
            status: 'failed' as const,
            summary: ['The broker was restarted during this read. Make the call again.'],
            outputs: [],
            errorCode: 'unavailable',
            durationMs: 0,
          }
        : await live.run(effect, (signal) => executeEffect(effect, signal));
      await publishToolCall(effect, await labelOutput(effect, result), false);
    };
    const taken = await ledger.takeOver(new Date(now() - RUNNER_SILENCE_MS));
    return taken.map((effect) => bringToEnd(effect).catch((error: unknown) => onError(error, effect.toolCallId)));
  };
