/**
 * Stands before the question whose a credential is. A flood of wrong ones is answered from memory, and where each is another one,
 * asked about no faster than a stated rate; a credential that was good a moment ago never waits for that. It lets nobody in.
 */
import { Fault, isFault, type FaultCode } from '@bravo/faults';

/** Unknown, revoked or expired. Any other refusal may be lifted by the next moment: a pod's token is bound, a person is let in. */
const REFUSED: FaultCode = 'unauthenticated';

export interface CredentialLookupsOptions {
  /** How long a refusal is remembered: a person who comes back to a workspace is let in as soon. */
  readonly refusedMs?: number;
  /** Questions about credentials that were never good: so many at once, and how fast they come back. */
  readonly burst?: number;
  readonly perSecond?: number;
  /** Credentials remembered of each kind. */
  readonly maxEntries?: number;
  /** Milliseconds of any clock that does not go back. */
  readonly now?: () => number;
}

export interface CredentialLookups {
  /**
   * @param key a digest of the credential, never the credential.
   * @throws Fault of `load`, or resource_exhausted where too many unknown ones are shown.
   */
  look<T>(key: string, load: () => Promise<T>): Promise<T>;
}

export const createCredentialLookups = ({
  refusedMs = 900,
  burst = 400,
  perSecond = 100,
  maxEntries = 10_000,
  now = () => performance.now(),
}: CredentialLookupsOptions = {}): CredentialLookups => {
  const refused = new Map<string, { readonly fault: Fault; readonly until: number }>();
  const good = new Set<string>();
  let left = burst;
  let filledAt = now();

  const keepTo = (entries: Map<string, unknown> | Set<string>): void => {
    // The oldest goes first, so that a flood never clears everything at once.
    for (const oldest of entries.keys()) {
      if (entries.size <= maxEntries) return;
      entries.delete(oldest);
    }
  };

  const takeQuestion = (): void => {
    const at = now();
    left = Math.min(burst, left + ((at - filledAt) / 1000) * perSecond);
    filledAt = at;
    if (left < 1)
      throw new Fault(
        'resource_exhausted',
        'Too many credentials that nobody knows are being shown just now. Try again in a second.',
      );
    left -= 1;
  };

  return {
    async look(key, load) {
      const known = refused.get(key);
      if (known !== undefined && known.until > now()) throw known.fault;
      refused.delete(key);
      const wasGood = good.has(key);
      if (!wasGood) takeQuestion();
      try {
        const answer = await load();
        good.delete(key);
        good.add(key);
        keepTo(good);
        if (!wasGood) left += 1;
        return answer;
      } catch (error) {
        if (isFault(error) && error.code === REFUSED) {
          good.delete(key);
          refused.set(key, { fault: error, until: now() + refusedMs });
          keepTo(refused);
        } else if (!wasGood) left += 1;
        throw error;
      }
    },
  };
};
