/** Keyset cursors: opaque to callers, and a broken one is an error and never the first page. */
import { Fault } from '@bravo/faults';

export interface Page {
  readonly limit: number;
  /** Rows strictly after this key in the order of the list. */
  readonly after: string | undefined;
}

const MAX_LIMIT = 100;

/** @throws Fault invalid_argument. `limit` 0 means `standard`, never "all". */
export const readPage = (
  page: { readonly limit: number; readonly cursor: string } | undefined,
  standard: number,
  key: RegExp,
): Page => {
  const limit = page?.limit ?? 0;
  if (limit < 0) throw new Fault('invalid_argument', 'limit must not be negative.', { meta: { field: 'limit' } });
  const cursor = page?.cursor ?? '';
  const after = cursor === '' ? undefined : Buffer.from(cursor, 'base64url').toString('utf8');
  if (after !== undefined && !key.test(after)) {
    throw new Fault('invalid_argument', 'The cursor is not one of this list. Begin again without it.', {
      meta: { field: 'cursor' },
    });
  }
  return { limit: Math.min(limit === 0 ? standard : limit, MAX_LIMIT), after };
};

/** `rows` holds up to one more than the limit, which tells whether there is a next page. */
export const cutPage = <T>(
  rows: readonly T[],
  limit: number,
  keyOf: (row: T) => string,
): { readonly rows: readonly T[]; readonly nextCursor: string } => {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { rows: kept, nextCursor: more ? Buffer.from(keyOf(last)).toString('base64url') : '' };
};
