/**
 * Gets one answer out of providers that fail now and then: tries again while nothing was told, within a budget and by the
 * provider's own word, then goes to the next model and says so. Once something was told nothing is ever begun anew.
 */
import { createCounter } from '@bravo/chassis/metrics';
import { Fault } from '@bravo/faults';
import { ModelProviderError } from '../providers/model-provider.port.ts';
import type { ModelEvent, ModelMessage, ModelProvider, ModelRequest } from '../providers/model-provider.port.ts';
import { beginAnswer } from './begin-answer.ts';
import type { EndpointHealth } from './endpoint-health.ts';
import type { Patience } from './patience.ts';

/** A model somebody may be asked for, with the provider that has it. */
export interface Target {
  /** As it is listed and recorded. */
  readonly id: string;
  /** For people. */
  readonly label: string;
  readonly provider: ModelProvider;
  /** As the provider names it. */
  readonly name: string;
  readonly effort: 'read' | 'unread' | 'unknown';
  /** Whose failures count together. */
  readonly endpoint: string;
}

export type Answered =
  | ModelEvent
  /** Another model answers; `text` is for the person. Comes before everything else. */
  | { readonly type: 'switch'; readonly to: Target; readonly text: string };

export interface PatientParts {
  readonly healthOf: (endpoint: string) => EndpointHealth;
  readonly patience: Patience;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** 0 to 1. */
  readonly random: () => number;
}

/** What another model than the chosen one is sent, whose window is another. @throws Fault where it does not fit. */
export type Refit = (target: Target) => Promise<readonly ModelMessage[]>;

export type AnswerPatiently = (
  targets: readonly [Target, ...Target[]],
  request: Omit<ModelRequest, 'model'>,
  refit?: Refit,
) => AsyncGenerator<Answered>;

const retries = createCounter('bravo_model_retries_total', 'Attempts beyond the first.', ['reason']);
const switches = createCounter('bravo_model_switches_total', 'Answers given by another model than the chosen one.');

export const createAnswerPatiently = (parts: PatientParts): AnswerPatiently => {
  const unread = createUnreadBook();
  return async function* answerPatiently(targets, request, refit) {
    const [chosen] = targets;
    let failure: ModelProviderError | undefined;
    for (const target of targets) {
      const asked = failure && refit ? { ...request, messages: await refitted(refit, target, failure) } : request;
      let events: AsyncGenerator<ModelEvent>;
      try {
        events = await begin(parts, target, withEffort(target, asked, unread), unread);
      } catch (error) {
        request.signal.throwIfAborted();
        if (!(error instanceof ModelProviderError) || !MAY_SWITCH.has(error.kind)) throw error;
        failure ??= error;
        continue;
      }
      if (failure) {
        switches.count();
        const text = `${chosen.label} did not answer (${failure.message.replace(/\.$/, '')}). ${target.label} answers instead.`;
        yield { type: 'switch', to: target, text };
      }
      yield* events;
      return;
    }
    throw failure ?? new ModelProviderError('unavailable', 'There is no model to ask.');
  };
};

async function refitted(refit: Refit, target: Target, failure: ModelProviderError): Promise<readonly ModelMessage[]> {
  try {
    return await refit(target);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    // The first failure is still why nothing answers; its kind says whether to come back.
    throw new ModelProviderError(
      failure.kind,
      `${failure.message} ${target.label} cannot answer instead: ${error.detail}`,
      { cause: error, retryAfterMs: failure.retryAfterMs },
    );
  }
}

/** A key that is refused is the person's to mend: another model in its place would hide it. */
const MAY_SWITCH = new Set<ModelProviderError['kind']>(['unavailable', 'throttled', 'broken']);
const MAY_RETRY = MAY_SWITCH;

async function begin(
  { healthOf, patience, pause, random }: PatientParts,
  target: Target,
  request: Omit<ModelRequest, 'model'>,
  unread: UnreadBook,
): Promise<AsyncGenerator<ModelEvent>> {
  const health = healthOf(target.endpoint);
  const ask = (asked: Omit<ModelRequest, 'model'>): Promise<AsyncGenerator<ModelEvent>> =>
    health.guard(target.label, () => beginAnswer(target.provider, { ...asked, model: target.name }, patience));
  health.earn();
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await ask(request);
    } catch (error) {
      request.signal.throwIfAborted();
      if (!(error instanceof ModelProviderError)) throw error;
      // A model that refuses the level is asked once more without it, and is sent none from then on.
      if (error.kind === 'refused' && request.effort !== undefined && target.effort === 'unknown') {
        const answer = await ask(withoutEffort(request));
        unread.add(target);
        return answer;
      }
      if (!MAY_RETRY.has(error.kind) || attempt >= patience.maxRetries || health.isOpen()) throw error;
      const told = error.retryAfterMs;
      if (told !== undefined && told > patience.maxRetryAfterMs) throw error;
      if (!health.mayRetry()) throw error;
      retries.count({ reason: error.kind });
      // A random part keeps callers that failed together from coming back together.
      const drawn = patience.pauseMs * 2 ** attempt * random();
      await pause(told === undefined ? drawn : told + drawn, request.signal);
    }
  }
}

interface UnreadBook {
  has(target: Target): boolean;
  add(target: Target): void;
}

const MOST_UNREAD = 1_000;

/** Models that refused a level of effort while this process runs; what one refuses says nothing about another. */
function createUnreadBook(): UnreadBook {
  const keys = new Set<string>();
  const keyOf = ({ endpoint, name }: Target): string => JSON.stringify([endpoint, name]);
  return {
    has: (target) => keys.has(keyOf(target)),
    add: (target) => {
      if (keys.size >= MOST_UNREAD) keys.clear();
      keys.add(keyOf(target));
    },
  };
}

const withEffort = (
  target: Target,
  request: Omit<ModelRequest, 'model'>,
  unread: UnreadBook,
): Omit<ModelRequest, 'model'> => (target.effort === 'unread' || unread.has(target) ? withoutEffort(request) : request);

function withoutEffort({ effort: _unsent, ...request }: Omit<ModelRequest, 'model'>): Omit<ModelRequest, 'model'> {
  return request;
}
