/** What one agent may take of the broker: so many requests in a while, and so many calls worked on at once. It can only refuse or delay, and one agent's limit is never reached by another's calls. */
import { Fault } from '@bravo/faults';

/** A call that was let in. Each may be called more than once. */
export interface Place {
  /** It waits for a person or runs now, so the next may be worked on. */
  judged(): void;
  /** It is answered. */
  leave(): void;
}

export interface CallLimits {
  /** Counts what a request asks for, all of it or nothing. @returns undefined where it may go on, else the whole seconds after which it may. */
  take(tokenId: string, count?: number): number | undefined;
  /**
   * Waits until the call may be worked on.
   * @throws Fault resource_exhausted where the agent has too many open calls; turn_cancelled where the caller went away.
   */
  enter(tokenId: string, signal: AbortSignal): Promise<Place>;
}

export interface CallLimitSettings {
  /** Requests that may come at once, and how fast they come back. */
  readonly burst?: number;
  readonly perSecond?: number;
  /** Calls of one agent that are read for, decided and recorded at the same time. */
  readonly atWork?: number;
  /** Calls of one agent that are not answered yet, those held for a person among them. */
  readonly open?: number;
  readonly now?: () => number;
}

interface Agent {
  atWork: number;
  open: number;
  readonly waiting: Set<() => void>;
}

/** Above what an agent needs that thinks between its calls, below what slows others down. */
export const createCallLimits = ({
  burst = 2_000,
  perSecond = 20,
  atWork = 4,
  open = 100,
  now = Date.now,
}: CallLimitSettings = {}): CallLimits => {
  /** Of each agent that is below its burst: what is left, and when that was so. In the order of their last request. */
  const left = new Map<string, { requests: number; at: number }>();
  const agents = new Map<string, Agent>();

  const refilled = ({ requests, at }: { requests: number; at: number }): number =>
    Math.min(burst, requests + (Math.max(0, now() - at) / 1000) * perSecond);

  /** An agent that has its whole burst again is like one that never came. */
  const forgetFull = (): void => {
    for (const [tokenId, state] of left) {
      if (refilled(state) < burst) return;
      left.delete(tokenId);
    }
  };

  return {
    take: (tokenId, count = 1) => {
      const state = left.get(tokenId);
      const requests = state === undefined ? burst : refilled(state);
      if (requests < count) return Math.max(1, Math.ceil((count - requests) / perSecond));
      left.delete(tokenId);
      left.set(tokenId, { requests: requests - count, at: now() });
      forgetFull();
      return undefined;
    },

    enter: async (tokenId, signal) => {
      const agent = agents.get(tokenId) ?? { atWork: 0, open: 0, waiting: new Set() };
      if (agent.open >= open)
        throw new Fault(
          'resource_exhausted',
          `Refused: ${open} calls of this agent are not answered yet. Wait for an answer before the next call.`,
        );
      agents.set(tokenId, agent);
      agent.open += 1;
      const judged = once(() => {
        const [next] = agent.waiting;
        // The place goes over as it is, so that nobody slips in between.
        if (next !== undefined) next();
        else agent.atWork -= 1;
      });
      const close = once(() => {
        agent.open -= 1;
        if (agent.open === 0) agents.delete(tokenId);
      });
      try {
        if (agent.atWork < atWork) agent.atWork += 1;
        else await waitForPlace(agent.waiting, signal);
      } catch (error) {
        close();
        throw error;
      }
      return {
        judged,
        leave: () => {
          judged();
          close();
        },
      };
    },
  };
};

const once = (act: () => void): (() => void) => {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    act();
  };
};

const waitForPlace = (waiting: Set<() => void>, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stopWaiting = (): void => {
      waiting.delete(go);
      signal.removeEventListener('abort', giveUp);
    };
    const go = (): void => {
      stopWaiting();
      resolve();
    };
    const giveUp = (): void => {
      stopWaiting();
      reject(new Fault('turn_cancelled', 'The caller went away.'));
    };
    waiting.add(go);
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
  });
