/**
 * What is remembered of each endpoint: its circuit breaker and its budget of retries. One tenant's broken endpoint is never
 * another's, and an overloaded one is not asked more often for being overloaded.
 */
import { CircuitState, circuitBreaker, ConsecutiveBreaker, handleWhen, isBrokenCircuitError } from 'cockatiel';
import { ModelProviderError } from '../providers/model-provider.port.ts';
import type { Patience } from './patience.ts';

export interface EndpointHealth {
  /** A new call earns a part of a retry. */
  earn(): void;
  /** Runs it unless the endpoint is to be left alone. @throws ModelProviderError unavailable then. */
  guard<T>(label: string, open: () => Promise<T>): Promise<T>;
  /** Takes one retry out of the budget; false where there is none left. */
  mayRetry(): boolean;
  isOpen(): boolean;
}

/** Each call adds a fifth of a retry, so that retries add at most a fifth to the load of an endpoint in trouble. */
const EARNED = 0.2;
const MOST_SAVED = 10;
/** Beyond it the endpoint that was used least lately is forgotten. */
const MOST_ENDPOINTS = 2_000;

export const createHealthBook = (patience: Patience): ((endpoint: string) => EndpointHealth) => {
  const known = new Map<string, EndpointHealth>();
  return (endpoint) => {
    const health = known.get(endpoint) ?? createHealth(patience);
    known.delete(endpoint);
    known.set(endpoint, health);
    if (known.size > MOST_ENDPOINTS) known.delete(known.keys().next().value ?? '');
    return health;
  };
};

const createHealth = ({ breakAfter, breakMs }: Patience): EndpointHealth => {
  // Only what says that the endpoint is down counts: a refused request or key says nothing of the next one.
  const isDown = (error: unknown): boolean => error instanceof ModelProviderError && error.kind === 'unavailable';
  const breaker = circuitBreaker(handleWhen(isDown), {
    breaker: new ConsecutiveBreaker(breakAfter),
    halfOpenAfter: breakMs,
  });
  let budget = MOST_SAVED;
  return {
    earn: () => void (budget = Math.min(MOST_SAVED, budget + EARNED)),
    guard: async (label, open) => {
      try {
        return await breaker.execute(open);
      } catch (error) {
        if (!isBrokenCircuitError(error)) throw error;
        throw new ModelProviderError(
          'unavailable',
          `${label} did not answer several times in a row and is left alone for ${Math.ceil(breakMs / 1_000)} s.`,
          { cause: error },
        );
      }
    },
    mayRetry: () => {
      if (budget < 1) return false;
      budget -= 1;
      return true;
    },
    isOpen: () => breaker.state === CircuitState.Open,
  };
};
