/** A count from a request: 0 asks for the default and never for "no limit", too much is cut, a negative one is refused. */
import { Fault } from '@bravo/faults';

export const boundedCount = (
  field: string,
  asked: number,
  bounds: { readonly fallback: number; readonly most: number },
): number => {
  if (!Number.isSafeInteger(asked) || asked < 0) {
    throw new Fault('invalid_argument', `${field} must be a positive number, or 0 for the default.`, {
      meta: { field },
    });
  }
  return asked === 0 ? bounds.fallback : Math.min(asked, bounds.most);
};
