/** Answers before the client's own timeout would: an effect that takes longer goes on, and its result waits for the identical call (D9). */
import { stillRunning } from '../approvals/waiting-answer.ts';
import type { BoundEffect } from '../tools/effect.ts';
import type { ToolAnswer } from './tool-call.ts';

/** A program that has just been let run gets at least this long, also at the end of a long wait for the person. */
const LEAST_MS = 1_000;

export interface Patience {
  /** `keepCaller` says whether the caller is still there, and from then on it is not sent away any more: the answer is about to be its own. */
  orComeBack(effect: BoundEffect, work: (keepCaller: () => boolean) => Promise<ToolAnswer>): Promise<ToolAnswer>;
}

export const startPatience = (holdMs: number, now: () => number = Date.now): Patience => {
  const deadline = now() + holdMs;
  return {
    orComeBack: async (effect, work) => {
      const { approvalId, toolCallId, call } = effect;
      let caller: 'waits' | 'kept' | 'sent away' = 'waits';
      const working = work(() => {
        if (caller === 'waits') caller = 'kept';
        return caller === 'kept';
      });
      // Without a question there is no row by which the identical call could find the effect, so its caller is kept.
      if (approvalId === undefined) return working;
      let timer: NodeJS.Timeout | undefined;
      const handle = new Promise<ToolAnswer>((resolve) => {
        timer = setTimeout(
          () => {
            if (caller === 'kept') return;
            caller = 'sent away';
            resolve(stillRunning({ id: approvalId, toolCallId, tool: call.tool }));
          },
          Math.max(deadline - now(), LEAST_MS),
        );
      });
      // A failure after the caller left is found by the recovery: the call stays on record as running.
      working.catch(() => undefined);
      return Promise.race([working, handle]).finally(() => clearTimeout(timer));
    },
  };
};
