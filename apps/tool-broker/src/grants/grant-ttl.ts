/** How long a grant lives. Guarantees a bounded life: what is not said is 15 minutes, and past 8 hours is refused, never cut or unlimited. */
import { Fault } from '@bravo/faults';
import { amountWithin } from '@bravo/policy';
import { GRANT_LIFE } from './grant.ts';

/** @param given seconds; 0: nothing was said. @throws Fault invalid_argument */
export const grantTtl = (given: number): number => {
  const seconds = amountWithin(GRANT_LIFE, given === 0 ? undefined : given);
  if (seconds !== undefined && Number.isInteger(seconds)) return seconds;
  throw new Fault(
    'invalid_argument',
    `A grant lives 1 to ${GRANT_LIFE.value} seconds (8 hours); ${GRANT_LIFE.default} where nothing is said.`,
    { meta: { field: 'ttl_seconds' } },
  );
};
