/** Carries an allowed read out and puts it on record with its end in one transaction. Guarantees that nobody is told anything of it before that, and that one which takes longer is on record while it runs. */
import { inSpan } from '@bravo/chassis/spans';
import type { Allowed, ToolManifest } from '@bravo/policy';
import type { HeldCredential } from '../credentials/hold-credentials.ts';
import type { TellTurn } from '../turn-notices/turn-notices.ts';
import type { ExecuteEffect } from './execute-effect.ts';
import type { Gathered } from './gather-facts.ts';
import type { LabelOutput } from './label-output.ts';
import type { LiveEffects } from './live-effects.ts';
import type { PublishToolCall } from './publish-tool-call.ts';
import { effectFacts, judged } from './record-decision.ts';
import type { FinishedCall, ToolCallLedger } from './tool-call-ledger.ts';
import type { ToolAnswer } from './tool-call.ts';

export interface AnswerReadParts {
  readonly ledger: Pick<ToolCallLedger, 'preview' | 'recordRead' | 'start'>;
  readonly executeEffect: ExecuteEffect;
  readonly labelOutput: LabelOutput;
  readonly publishToolCall: PublishToolCall;
  readonly notices: TellTurn;
  readonly live: LiveEffects;
  readonly newToolCallId: () => string;
  /** A read that takes longer is recorded as running meanwhile, so that the person sees it. */
  readonly shownAfterMs?: number;
}

/** `held`: what it would show holds credentials nobody was asked about, so nothing of it was answered. */
export type ReadAnswer =
  | { readonly kind: 'answer'; readonly answer: ToolAnswer }
  | { readonly kind: 'held'; readonly held: readonly HeldCredential[] };

export type AnswerRead = (gathered: Gathered, decision: Allowed) => Promise<ReadAnswer>;

/**
 * Whether carrying it out changes nothing and tells nobody: then "recorded before" means before its result is told, because
 * that is the first thing anybody can notice of it. A read that goes outside tells its arguments there and is not one.
 */
export const isQuiet = ({ effect, confined, external, runsCode, starts, origin }: ToolManifest): boolean =>
  effect === 'read' && confined && !external && !runsCode && starts === 'nothing' && origin === 'first_party';

/** For labelling, recording and telling. */
const LAST_WORD_MS = 3_000;

export const createAnswerRead =
  ({ ledger, notices, live, newToolCallId, shownAfterMs = 150, ...steps }: AnswerReadParts): AnswerRead =>
  async (gathered, decision) => {
    const { request } = gathered;
    const { conversationId } = request.agent;
    const call = judged(gathered, newToolCallId());
    const facts = effectFacts(gathered, decision);
    const effect = ledger.preview(call, facts);
    const about = { attributes: { 'bravo.tool': effect.call.tool, 'bravo.tool_call': effect.toolCallId } };

    const reading = live.run(effect, async (signal): Promise<FinishedCall> => {
      // What watches is told to look up before its caller would go away (D9).
      const patient = AbortSignal.any([signal, AbortSignal.timeout(Math.max(request.holdMs - LAST_WORD_MS, 1_000))]);
      const result = await inSpan('execute', () => steps.executeEffect(effect, patient), about);
      return inSpan('label', () => steps.labelOutput(effect, result), about);
    });
    const caller = live.attend(effect, request.signal);
    const showRunning = async (): Promise<void> => {
      await ledger.start(call, facts);
      await notices.tell(conversationId);
    };
    try {
      const finished = await withinMoment(reading, shownAfterMs);
      if (finished === undefined) {
        await showRunning();
        request.onJudged?.();
        const late = await reading;
        const answer = await steps.publishToolCall(effect, late, true);
        return late.held.length > 0 ? { kind: 'held', held: late.held } : { kind: 'answer', answer };
      }
      if (finished.held.length > 0) return { kind: 'held', held: finished.held };
      const { answer, fresh } = await inSpan(
        'record-read',
        () => ledger.recordRead(call, facts, effect, finished),
        about,
      );
      request.onJudged?.();
      await notices.tell(conversationId, fresh);
      return { kind: 'answer', answer };
    } catch (error) {
      // What was judged is on record whatever became of it; whoever finds it running without us brings it to its end.
      await ledger.start(call, facts).catch(() => undefined);
      throw error;
    } finally {
      reading.catch(() => undefined);
      caller.leave();
    }
  };

/** @returns undefined when it takes longer. */
const withinMoment = async <T>(work: Promise<T>, ms: number): Promise<T | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, ms, undefined)));
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};
