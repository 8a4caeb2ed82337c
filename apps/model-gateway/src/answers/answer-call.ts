/**
 * Answers one call of whoever it may be: which model, room in the limits, the answer, and what it used.
 *
 * What was used is on record before the caller learns of the end. An answer that was cut off ends as failed and throws; a
 * caller that goes away ends the call as cancelled and stops the provider.
 */
import { Fault } from '@bravo/faults';
import type { Answered, AnswerPatiently, Refit, Target } from '../attempts/answer-patiently.ts';
import type { AgentCaller } from '../callers/agent-caller.ts';
import type { CallRate } from '../callers/call-rate.ts';
import type { ChooseModel, ModelInForce } from '../choices/choose-model.ts';
import { ModelProviderError } from '../providers/model-provider.port.ts';
import type { ModelRequest, ProviderFailure, TokenCounts } from '../providers/model-provider.port.ts';
import type { CallEnd, CallLedger } from '../quotas/call-ledger.ts';
import { usualTokensOf } from '../quotas/estimate-tokens.ts';
import { costMicros, priceFor, type PriceOf } from '../quotas/prices.ts';
import type { Reservation, ReserveCall } from '../quotas/reserve-call.ts';

export interface Question extends Omit<ModelRequest, 'model' | 'effort' | 'onAlive'> {
  /** "default", or the id of the model that is in force. */
  readonly model: string;
}

export interface Answer {
  /** The model that is asked first, as listed. */
  readonly model: string;
  readonly events: AsyncIterable<Answered>;
}

export interface AnswerCallParts {
  readonly chooseModel: ChooseModel;
  readonly reserveCall: ReserveCall;
  readonly answerPatiently: AnswerPatiently;
  readonly ledger: CallLedger;
  readonly priceOf: PriceOf;
  readonly planCredits: (plan: string) => number | 'unlimited';
  readonly trialCredits: number;
  readonly rate: CallRate;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
}

/** `known`: the choice, where whoever asks has made it already; `refit`: what a model that answers instead is sent. */
export type AnswerCall = (
  caller: AgentCaller,
  question: Question,
  known?: ModelInForce,
  refit?: Refit,
) => Promise<Answer>;

/** @throws Fault not_found for a model that is not in force, resource_exhausted; model_unavailable or model_failed while the events are read. */
export const createAnswerCall = (parts: AnswerCallParts): AnswerCall => {
  return async (caller, question, known, refit) => {
    const leave = parts.rate.enter(caller.conversationId);
    try {
      const choice = known ?? (await parts.chooseModel(caller));
      const [chosen] = choice.targets;
      if (question.model !== 'default' && question.model !== chosen.id)
        throw new Fault(
          'not_found',
          `There is no model ${JSON.stringify(question.model.slice(0, 100))} for this conversation; ask for "default".`,
        );
      const effort = choice.effort === undefined ? {} : { effort: choice.effort };
      const asked = { ...question, ...effort };
      const { plan, limits } = choice.view;
      const reservation = await parts.reserveCall({
        owner: caller,
        models: choice.targets.map((target) => pricedOf(choice, target)) as [ReturnType<typeof pricedOf>],
        question: asked,
        limits,
        terms: { plan, planCredits: parts.planCredits(plan), trialCredits: parts.trialCredits },
      });
      return { model: chosen.id, events: answer(parts, choice, asked, reservation, leave, refit) };
    } catch (error) {
      leave();
      if (error instanceof Fault)
        parts.log('a model call was refused', {
          conversation: caller.conversationId,
          code: error.code,
          reason: error.detail,
        });
      throw error;
    }
  };
};

const pricedOf = ({ roster }: ModelInForce, target: Target) => {
  const model = roster.describe(target);
  return { id: target.id, demo: model?.demo ?? false, outputTokens: model?.outputTokens ?? null };
};

async function* answer(
  parts: AnswerCallParts,
  choice: ModelInForce,
  question: Question & Pick<ModelRequest, 'effort'>,
  { call, maxOutputTokens }: Reservation,
  leave: () => void,
  refit: Refit | undefined,
): AsyncGenerator<Answered> {
  let answering: Target = choice.targets[0];
  let said = 0;
  let begun = false;
  /** What counts where nobody reported: what was asked and what was heard, once the provider had begun. */
  const endOf = (status: CallEnd['status'], usage: TokenCounts, failure?: string): CallEnd => {
    // Whoever left may have left before the first word: the question was put all the same.
    const input = usage.inputTokens ?? (begun || status === 'cancelled' ? call.estimatedInput : 0);
    const output = usage.outputTokens ?? said;
    const model = pricedOf(choice, answering);
    const price = priceFor(parts.priceOf, model);
    return {
      ...{ status, usage, model: answering.id, chargedTokens: input + output },
      micros: price ? costMicros(price, input, output) : null,
      credits: model.demo ? 0 : input + output,
      ...(failure !== undefined && { failure }),
    };
  };
  const unknown: TokenCounts = { inputTokens: null, outputTokens: null };
  // A reader that stops early runs only the `finally`, and that is a cancelled call.
  let end: (() => CallEnd) | undefined = () => endOf('cancelled', unknown);
  try {
    const { model: _chosen, ...request } = question;
    const bound = maxOutputTokens === undefined ? {} : { maxOutputTokens };
    const onAlive = (): void => void (begun = true);
    for await (const event of parts.answerPatiently(choice.targets, { ...request, ...bound, onAlive }, refit)) {
      begun ||= event.type !== 'switch';
      if (event.type === 'switch') {
        parts.log('another model answers', { chosen: choice.targets[0].id, answering: event.to.id, call: call.id });
        answering = event.to;
      } else if (event.type === 'finish') {
        end = undefined;
        await parts.ledger.settle(call, endOf('completed', event.usage));
      } else said += usualTokensOf(event.type === 'tool_call' ? event.call.arguments : event.delta);
      yield event;
      if (event.type === 'finish') return;
    }
    throw new ModelProviderError('broken', 'The answer of the model was cut off before its end.');
  } catch (error) {
    if (question.signal.aborted)
      throw new Fault('turn_cancelled', 'Nobody waits for the answer any more.', { cause: error });
    if (!(error instanceof ModelProviderError)) {
      if (end) end = () => endOf('failed', unknown, 'internal');
      throw error;
    }
    end = () => endOf('failed', unknown, error.kind);
    parts.log('a model call failed', { call: call.id, model: answering.id, kind: error.kind, reason: error.message });
    throw new Fault(FAULT_OF[error.kind], error.message, { cause: error });
  } finally {
    leave();
    if (end) await parts.ledger.settle(call, end());
  }
}

const FAULT_OF = {
  unavailable: 'model_unavailable',
  throttled: 'model_unavailable',
  unauthorized: 'model_failed',
  refused: 'model_failed',
  broken: 'model_failed',
} as const satisfies Record<ProviderFailure, string>;
