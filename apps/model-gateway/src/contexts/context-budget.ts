/**
 * What a request may come to with the model that holds. A window nobody stated is assumed, marked as such, and never taken for
 * none; a budget set by hand outranks what is stated and what is assumed.
 */
import type { ModelInForce } from '../choices/choose-model.ts';

export interface ContextBudget {
  readonly model: string;
  readonly label: string;
  /** Tokens of prompt and answer together. */
  readonly windowTokens: number;
  /** Nobody stated it. */
  readonly assumed: boolean;
  /** Tokens a prompt may have: the window without the room an answer needs. */
  readonly budgetTokens: number;
  /** Where the window is stated, or would be: for sentences. */
  readonly setting: string;
  /** False for a planner that is no language model: a summary of its own making would be none. */
  readonly summarises: boolean;
}

export interface ContextPolicy {
  /** Of a model of which nobody stated the window. */
  readonly contextTokens: number;
  /** Of an answer nobody gave a length. */
  readonly answerTokens: number;
}

/** An answer never takes more than this part of a window away from the prompt. */
const ANSWER_SHARE = 4;

export function budgetOf(
  { targets, roster, view }: Pick<ModelInForce, 'targets' | 'roster' | 'view'>,
  policy: ContextPolicy,
): ContextBudget {
  const [chosen] = targets;
  const model = roster.describe(chosen);
  const byHand = view.contextTokens;
  if (byHand !== undefined)
    return {
      ...{ model: chosen.id, label: chosen.label, windowTokens: byHand, budgetTokens: byHand, assumed: false },
      setting: 'limits.contextTokens of the settings',
      summarises: !(model?.demo ?? false),
    };
  const stated = model?.contextTokens ?? null;
  const windowTokens = stated !== null && stated > 0 ? stated : policy.contextTokens;
  const answer = Math.min(model?.outputTokens ?? policy.answerTokens, Math.floor(windowTokens / ANSWER_SHARE));
  const own = model === undefined || model.layer === 'environment';
  return {
    model: chosen.id,
    label: chosen.label,
    windowTokens,
    assumed: windowTokens !== stated,
    budgetTokens: windowTokens - answer,
    setting: own
      ? 'BRAVO_MODEL_CONTEXT_TOKENS'
      : `provider.${model.service}.models["${chosen.name}"].limit.context of the ${model.layer} settings`,
    summarises: !(model?.demo ?? false),
  };
}

const SUMMARY_SHARE = 0.15;
const MOST_SUMMARY = 1_024;
const LEAST_SUMMARY = 64;

/** Tokens a summary may have where a prompt may have `room`. */
export const summaryTokens = (room: number): number =>
  Math.min(MOST_SUMMARY, Math.max(LEAST_SUMMARY, Math.floor(room * SUMMARY_SHARE)));
