/** Bounds what one agent may ask at once and in a minute, in this process; a flood of one conversation is refused before it costs anything. */
import { Fault } from '@bravo/faults';

export interface CallRate {
  /** @returns what ends the call. @throws Fault resource_exhausted with when to come back. */
  enter(conversationId: string): () => void;
}

export interface CallRateOptions {
  /** Calls of one conversation at the same time. */
  readonly open: number;
  readonly perMinute: number;
  /** Milliseconds of a clock that does not go back. */
  readonly now: () => number;
}

interface Visits {
  open: number;
  /** Calls this conversation may still begin, filled up over time. */
  left: number;
  at: number;
}

const MOST_KNOWN = 20_000;

export const createCallRate = ({ open, perMinute, now }: CallRateOptions): CallRate => {
  const known = new Map<string, Visits>();
  const visitsOf = (conversationId: string): Visits => {
    const at = now();
    const visits = known.get(conversationId) ?? { open: 0, left: perMinute, at };
    visits.left = Math.min(perMinute, visits.left + ((at - visits.at) / 60_000) * perMinute);
    visits.at = at;
    known.delete(conversationId);
    known.set(conversationId, visits);
    if (known.size > MOST_KNOWN)
      for (const [id, { open: running }] of known) {
        if (running > 0) continue;
        known.delete(id);
        break;
      }
    return visits;
  };
  const refuse = (what: string, seconds: number): Fault =>
    new Fault('resource_exhausted', `This conversation ${what}. Try again in ${seconds} s.`, {
      meta: { limit: 'calls', retry_after: String(seconds) },
    });
  return {
    enter: (conversationId) => {
      const visits = visitsOf(conversationId);
      if (visits.open >= open) throw refuse(`has ${open} model calls open, which is the most at once`, 1);
      if (visits.left < 1)
        throw refuse(`made more than ${perMinute} model calls in a minute`, Math.ceil(60 / perMinute));
      visits.left -= 1;
      visits.open += 1;
      let entered = true;
      return () => {
        if (entered) visits.open -= 1;
        entered = false;
      };
    },
  };
};
