/**
 * The built-in planner behind the model port: deterministic, local, and marked as no language model in every answer.
 *
 * It knows nothing of the platform but the messages and tools it is given, exactly like any other model.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ModelProviderError } from '../model-provider.port.ts';
import type { ModelEvent, ModelProvider, ModelRequest, ProviderModel } from '../model-provider.port.ts';
import { countTokens } from './count-tokens.ts';
import { type Plan, planAnswer } from './plan-answer.ts';
import { planIsolated } from './plan-isolated.ts';

export interface DemoOptions {
  /** Between two words, so that a person sees the answer arrive. */
  readonly wordDelayMs?: number;
}

const WORD_DELAY_MS = 12;
/** A long answer comes faster: nobody waits for a listing. */
const MAX_TOTAL_DELAY_MS = 1_500;

export const DEMO_MODEL: ProviderModel = {
  name: 'demo',
  label: 'Demo planner (no language model)',
  contextTokens: null,
  outputTokens: null,
  effort: 'unread',
  demo: true,
};

export function createDemoProvider({ wordDelayMs = WORD_DELAY_MS }: DemoOptions = {}): ModelProvider {
  return {
    id: 'demo',
    label: 'Built in',
    listModels: () => Promise.resolve([DEMO_MODEL]),
    stream: (request) => answer(request, wordDelayMs),
  };
}

async function* answer(request: ModelRequest, wordDelayMs: number): AsyncGenerator<ModelEvent> {
  if (request.model !== 'demo') throw new ModelProviderError('refused', `There is no model ${request.model} here.`);
  request.signal.throwIfAborted();
  const isolated = planIsolated(request.messages, request.tools);
  const plan: Plan = isolated === undefined ? planAnswer(request.messages, request.tools) : { text: isolated };
  const words = plan.text.match(/\S+\s*|\s+/g) ?? [];
  const delay = Math.min(wordDelayMs, MAX_TOTAL_DELAY_MS / Math.max(1, words.length));
  // Timers are no finer than a millisecond; several words share one where the delay is.
  const together = delay > 0 && delay < 1 ? Math.ceil(1 / delay) : 1;
  for (let index = 0; index < words.length; index += together) {
    if (delay > 0 && index > 0) await sleep(Math.max(1, delay), undefined, { signal: request.signal });
    request.signal.throwIfAborted();
    yield { type: 'text', delta: words.slice(index, index + together).join('') };
  }
  const input = countTokens(JSON.stringify([request.messages, request.tools]));
  if (!plan.call) {
    yield { type: 'finish', reason: 'stop', usage: { inputTokens: input, outputTokens: countTokens(plan.text) } };
    return;
  }
  const text = JSON.stringify(plan.call.arguments);
  const call = { id: callId(request, text), name: plan.call.name, arguments: text };
  yield { type: 'tool_call', call };
  yield {
    type: 'finish',
    reason: 'tool_calls',
    usage: { inputTokens: input, outputTokens: countTokens(plan.text + text) },
  };
}

/** The same place in the same conversation gives the same id; two calls of one conversation never share one. */
function callId(request: ModelRequest, text: string): string {
  const calls = request.messages.reduce(
    (sum, message) => sum + (message.role === 'assistant' ? message.toolCalls.length : 0),
    0,
  );
  const digest = createHash('sha256')
    .update(JSON.stringify([request.messages, text]))
    .digest('hex');
  return `call_${calls}_${digest.slice(0, 16)}`;
}
