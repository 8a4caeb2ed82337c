/** Reads what a person is about to be asked about, so that the question says which credentials it would show. Nothing of it is answered or recorded. */
import type { Asked } from '@bravo/policy';
import type { ExecuteEffect } from './execute-effect.ts';
import type { ReadAnswer } from './answer-read.ts';
import type { Gathered } from './gather-facts.ts';
import type { LabelOutput } from './label-output.ts';
import { effectFacts, judged } from './record-decision.ts';
import type { ToolCallLedger } from './tool-call-ledger.ts';

export type LookAhead = (gathered: Gathered, decision: Asked) => Promise<Extract<ReadAnswer, { kind: 'held' }>>;

export interface LookAheadParts {
  readonly ledger: Pick<ToolCallLedger, 'preview'>;
  readonly executeEffect: ExecuteEffect;
  readonly labelOutput: LabelOutput;
  readonly newToolCallId: () => string;
}

export const createLookAhead =
  ({ ledger, executeEffect, labelOutput, newToolCallId }: LookAheadParts): LookAhead =>
  async (gathered, decision) => {
    const effect = ledger.preview(judged(gathered, newToolCallId()), effectFacts(gathered, decision));
    const { held } = await labelOutput(effect, await executeEffect(effect, gathered.request.signal));
    return { kind: 'held', held };
  };
