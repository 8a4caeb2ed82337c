/** Reads a workspace's log in pages. Guarantees the tenant of the caller's credential and nothing else; a person without audit_read must never see another's conversation. */
import type { Principal } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import type { Entries, EntryFilter, StoredEntry } from './entries.port.ts';
import type { RecordRead } from './record-read.ts';
import { requirePerson } from './require-person.ts';

export interface ListEntriesQuery extends EntryFilter {
  /** "asc", "desc", or empty for "desc". */
  readonly order: string;
  /** 0 for the default of 50; at most 200 are given. */
  readonly limit: number;
  /** Empty for the first page. */
  readonly cursor: string;
}

export interface EntriesPage {
  readonly entries: readonly StoredEntry[];
  /** Empty when there is no further page. */
  readonly nextCursor: string;
}

export type ListEntries = (principal: Principal, query: ListEntriesQuery) => Promise<EntriesPage>;

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

export const createListEntries =
  (entries: Entries, recordRead: Pick<RecordRead, 'read'>): ListEntries =>
  async (principal, query) => {
    requirePerson(principal);
    const own = await isOwn(entries, principal, query.conversationId);
    const order = readOrder(query.order);
    const after = query.cursor === '' ? undefined : readCursor(query.cursor, order);
    const limit = readLimit(query.limit);

    const page = { order, limit: limit + 1, ...(after === undefined ? {} : { after }) };
    const found = await entries.list(principal.workspaceId, query, page);
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    if (!own) await recordRead.read(principal, filterOf(query), shown.length);
    return { entries: shown, nextCursor: found.length > limit && last ? writeCursor(order, last.index) : '' };
  };

const filterOf = ({ order: _order, limit: _limit, cursor: _cursor, ...filter }: ListEntriesQuery): EntryFilter =>
  filter;

/**
 * Whether it is the caller's own conversation, which to look at is nobody else's business. Nothing recorded and somebody else's
 * answer alike, so that ids cannot be probed.
 */
export const isOwn = async (
  entries: Pick<Entries, 'firstOf'>,
  principal: Principal,
  conversationId: string | undefined,
): Promise<boolean> => {
  const mayAll = principal.permissions.includes('audit_read');
  if (conversationId === undefined) {
    if (mayAll) return false;
    throw new Fault(
      'permission_denied',
      "Reading the whole workspace's trail needs the permission audit_read. Name one of your conversations.",
    );
  }
  const first = await entries.firstOf(principal.workspaceId, conversationId);
  const owner = first?.onBehalfOf || first?.actor.replace(/^user:/, '');
  if (owner === principal.userId) return true;
  if (mayAll) return false;
  throw new Fault('not_found', 'There is no such conversation in the trail.');
};

const readOrder = (order: string): 'asc' | 'desc' => {
  if (order === '' || order === 'desc') return 'desc';
  if (order === 'asc') return 'asc';
  throw new Fault('invalid_argument', 'The order is "asc" or "desc".', { meta: { field: 'order' } });
};

export const readLimit = (limit: number): number => {
  if (limit < 0)
    throw new Fault('invalid_argument', 'The page limit cannot be negative.', { meta: { field: 'limit' } });
  return limit === 0 ? DEFAULT_LIMIT : Math.min(limit, MAX_LIMIT);
};

export const writeCursor = (order: string, index: number): string =>
  Buffer.from(`${order}:${index}`).toString('base64url');

export const readCursor = (cursor: string, order: string): number => {
  const [, of, index] = /^(asc|desc):(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (index === undefined || of !== order) {
    throw new Fault('invalid_argument', 'The cursor is not one of this listing. Start again without it.', {
      meta: { field: 'cursor' },
    });
  }
  return Number(index);
};
