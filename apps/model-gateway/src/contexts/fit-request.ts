/**
 * Makes a request fit the window of the model that answers it, whatever sits in the pod: an older stretch becomes a summary in
 * the request alone. What cannot be made to fit is refused with a sentence that names what is too large and the setting.
 */
import { Fault } from '@bravo/faults';
import type { AgentCaller } from '../callers/agent-caller.ts';
import type { ModelInForce } from '../choices/choose-model.ts';
import type { ModelMessage, ModelTool } from '../providers/model-provider.port.ts';
import { usualTokensOf, usualTokensOfMessage, usualTokensOfTools } from '../quotas/estimate-tokens.ts';
import { budgetOf, type ContextBudget, type ContextPolicy, summaryTokens } from './context-budget.ts';
import { createKnownStretches, type KnownStretch } from './known-stretches.ts';
import { createMeasuredSizes, type MeasuredSizes } from './measured-size.ts';
import { piecesOf, protectedOf } from './pieces.ts';
import { type Cut, planCut } from './plan-cut.ts';
import type { StretchSummary, SummariseStretch } from './summarise-stretch.ts';
import { tellStretch } from './told-stretch.ts';

export interface Compacted {
  readonly budget: ContextBudget;
  readonly messages: number;
  readonly leftOut: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly summaryTokens: number;
}

export interface FitRequestParts {
  readonly policy: ContextPolicy;
  readonly summarise: SummariseStretch;
  /** The person and the trail learn of it before the model is asked. */
  tell(caller: AgentCaller, compacted: Compacted): Promise<void>;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
}

/** System messages first, then the conversation. */
export interface Request {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly signal: AbortSignal;
}

export interface FitRequest {
  /** @throws Fault model_failed for what cannot be made to fit. */
  fit(caller: AgentCaller, choice: ModelInForce, request: Request): Promise<readonly ModelMessage[]>;
  readonly measured: MeasuredSizes;
}

const NO_SUMMARY: Omit<StretchSummary, 'leftOut'> = { text: '', tokens: 0 };

/** A message with its place in the request; -1 is the stretch that is known already. */
interface Item {
  readonly message: ModelMessage;
  readonly at: number;
}

export function createFitRequest({ policy, summarise, tell, log }: FitRequestParts): FitRequest {
  const stretches = createKnownStretches();
  const measured = createMeasuredSizes();
  const fit: FitRequest['fit'] = async (caller, choice, { messages, tools, signal }) => {
    const { conversationId } = caller;
    const budget = budgetOf(choice, policy);
    const factor = measured.factor(conversationId, budget.model);
    const begin = messages.findIndex(({ role }) => role !== 'system');
    const head = begin === -1 ? messages : messages.slice(0, begin);
    const said = begin === -1 ? [] : messages.slice(begin);
    const known = stretches.of(conversationId, said);
    const items = itemsOf(said, known);
    const pieces = piecesOf(items.map(({ message }) => message));
    const fixed = head.reduce((sum, message) => sum + usualTokensOfMessage(message), usualTokensOfTools(tools));
    const room = Math.floor(budget.budgetTokens / factor);
    const most = summaryTokens(room);
    const cut = planCut({ pieces, fixed, budget: room, summary: most });
    if (cut.kind === 'fits') return [...head, ...items.map(({ message }) => message)];
    const told = (tokens: number): number => Math.round(tokens * factor);
    if (cut.kind === 'too_large') {
      const detail = tooLarge(cut, budget, told(cut.tokens), tools.length);
      log('a request does not fit the window of its model', {
        conversation: conversationId,
        model: budget.model,
        what: cut.what,
        detail,
      });
      throw new Fault('model_failed', detail);
    }

    const kept = protectedOf(pieces);
    const before = pieces.slice(0, cut.at).flatMap((piece, index) => piece.messages.map(() => kept.has(index)));
    const gone = items.slice(0, before.length).filter((_, index) => before[index] === false);
    const stays = items.slice(0, before.length).filter((_, index) => before[index] === true);
    const rest = items.slice(before.length);
    const fresh = gone.filter(({ at }) => at >= 0).map(({ message }) => message);
    const summary = budget.summarises
      ? await summarise(caller, { earlier: known?.text ?? '', messages: fresh, room, most }, signal)
      : { ...NO_SUMMARY, leftOut: fresh.length };
    // What could not be summarised is left out; an earlier summary stays.
    const text = summary.text === '' ? (known?.text ?? '') : summary.text;
    const leftOut = (known?.leftOut ?? 0) + (summary.text === '' ? fresh.length : summary.leftOut);
    const count = rest.find(({ at }) => at >= (known?.count ?? 0))?.at ?? said.length;
    const stretch: KnownStretch = {
      count,
      kept: [...stays, ...rest.filter(({ at }) => at >= 0 && at < count)].map(({ at }) => at),
      text,
      messages: (known?.messages ?? 0) + fresh.length,
      leftOut,
    };
    stretches.put(conversationId, said, stretch);
    const fitted = itemsOf(said, stretch).map(({ message }) => message);
    const tokensOf = (list: readonly ModelMessage[]): number =>
      told(fixed + list.reduce((sum, message) => sum + usualTokensOfMessage(message), 0));
    await tell(caller, {
      ...{ budget, messages: stretch.messages, leftOut: stretch.leftOut },
      tokensBefore: tokensOf(items.map(({ message }) => message)),
      tokensAfter: tokensOf(fitted),
      summaryTokens: usualTokensOf(text),
    });
    return [...head, ...fitted];
  };
  return { fit, measured };
}

function itemsOf(said: readonly ModelMessage[], known: KnownStretch | undefined): Item[] {
  const item = (at: number): Item[] => {
    const message = said[at];
    return message ? [{ message, at }] : [];
  };
  const all = said.map((message, at) => ({ message, at }));
  return known
    ? [{ message: tellStretch(known), at: -1 }, ...known.kept.flatMap(item), ...all.slice(known.count)]
    : all;
}

function tooLarge(
  { what }: Extract<Cut, { kind: 'too_large' }>,
  budget: ContextBudget,
  tokens: number,
  tools: number,
): string {
  const amount = (value: number): string => value.toLocaleString('en');
  const assumed = budget.assumed ? ', which is assumed because nobody stated it' : '';
  const takes = `${budget.label} takes ${amount(budget.budgetTokens)} tokens of a prompt (window ${amount(budget.windowTokens)}, ${budget.setting}${assumed})`;
  const remedy = 'Choose a model with a larger window, or raise that figure if the model takes more';
  switch (what) {
    case 'instructions':
      return `What @bravo is told before the conversation (instructions and ${tools} tools) is about ${amount(tokens)} tokens, and ${takes}. ${remedy}; or shorten the standing instructions.`;
    case 'result':
      return `The newest result of a tool is about ${amount(tokens)} tokens, and with what belongs to it ${takes}. ${remedy}; or ask for less of it at a time.`;
    case 'message':
      return `The message is about ${amount(tokens)} tokens, and with what belongs to it ${takes}. ${remedy}; or send it in parts.`;
  }
}
