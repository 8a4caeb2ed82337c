/** A person's feed, notifications and preferences. Guarantees that a call is about the caller in their workspace and nothing else; an agent must never read or change any of it. */
import type { Principal } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import type { SecretOf } from '../deliveries/webhook-secret.ts';
import { type Preferences, readPreferences } from '../preferences/preferences.ts';

export interface Owner {
  readonly workspaceId: string;
  readonly userId: string;
}

export interface Page {
  /** Rows older than this id; absent for the first page. */
  readonly before?: bigint;
  readonly limit: number;
}

export interface ActivityLine {
  readonly id: bigint;
  readonly type: string;
  readonly text: string;
  readonly conversationId: string;
  readonly actor: string;
  readonly time: Date;
}

export interface NotificationLine {
  readonly id: bigint;
  readonly kind: string;
  readonly text: string;
  readonly conversationId: string;
  readonly time: Date;
  readonly read: boolean;
}

export interface InboxStore {
  activities(owner: Owner, page: Page): Promise<readonly ActivityLine[]>;
  notifications(owner: Owner, page: Page, unreadOnly: boolean): Promise<readonly NotificationLine[]>;
  unread(owner: Owner): Promise<number>;
  /** Of the owner's alone, whatever ids are named. */
  markRead(owner: Owner, ids: readonly bigint[] | 'all'): Promise<void>;
  preferences(owner: Owner): Promise<Preferences>;
  /** @returns what the webhook's secret is made with, and whether it is new: it is where the host is. */
  setPreferences(owner: Owner, preferences: Preferences): Promise<{ readonly salt: string; readonly isNew: boolean }>;
  /** Why the newest one was not taken by the webhook; empty where it was. */
  webhookProblem(owner: Owner): Promise<string>;
}

export interface Asked {
  /** 0 for the default of 30. */
  readonly limit: number;
  readonly cursor: string;
}

const DEFAULT_LIMIT = 30;
const MOST = 200;

export const createInbox = (store: InboxStore, secretOf: SecretOf) => ({
  activities: async (principal: Principal, asked: Asked) =>
    paged(asked, (page) => store.activities(ownerOf(principal), page)),
  notifications: async (principal: Principal, asked: Asked, unreadOnly: boolean) => {
    const owner = ownerOf(principal);
    const found = await paged(asked, (page) => store.notifications(owner, page, unreadOnly));
    return { ...found, unread: await store.unread(owner) };
  },
  markRead: async (principal: Principal, ids: readonly string[], all: boolean): Promise<number> => {
    const owner = ownerOf(principal);
    if (ids.length > MOST) throw new Fault('invalid_argument', `At most ${MOST} at once.`, { meta: { field: 'ids' } });
    await store.markRead(owner, all ? 'all' : ids.map(readId));
    return store.unread(owner);
  },
  preferences: async (principal: Principal): Promise<Preferences> => store.preferences(ownerOf(principal)),
  webhookProblem: async (principal: Principal): Promise<string> => store.webhookProblem(ownerOf(principal)),
  setPreferences: async (
    principal: Principal,
    given: Parameters<typeof readPreferences>[0],
  ): Promise<{ readonly preferences: Preferences; readonly webhookSecret: string }> => {
    const owner = ownerOf(principal);
    const preferences = readPreferences(given);
    const { salt, isNew } = await store.setPreferences(owner, preferences);
    return { preferences, webhookSecret: isNew ? secretOf(owner, salt) : '' };
  },
});
export type Inbox = ReturnType<typeof createInbox>;

const ownerOf = ({ workspaceId, userId, agent }: Principal): Owner => {
  if (agent) throw new Fault('permission_denied', 'An agent has no notifications.');
  if (workspaceId === '' || userId === '' || userId.startsWith('service:'))
    throw new Fault('permission_denied', 'Notifications are a person’s, in a workspace.');
  return { workspaceId, userId };
};

const paged = async <Row extends { readonly id: bigint }>(
  { limit, cursor }: Asked,
  read: (page: Page) => Promise<readonly Row[]>,
): Promise<{ rows: readonly Row[]; nextCursor: string }> => {
  const most = limit <= 0 ? DEFAULT_LIMIT : Math.min(limit, MOST);
  const found = await read({ limit: most + 1, ...(cursor === '' ? {} : { before: readId(cursor) }) });
  const rows = found.slice(0, most);
  return { rows, nextCursor: found.length > most ? String(rows.at(-1)?.id ?? '') : '' };
};

const readId = (text: string): bigint => {
  if (!/^[1-9]\d{0,17}$/.test(text))
    throw new Fault('invalid_argument', 'That is no id or cursor of this listing.', { meta: { field: 'cursor' } });
  return BigInt(text);
};
