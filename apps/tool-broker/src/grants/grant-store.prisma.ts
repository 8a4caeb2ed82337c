/** Grants in Postgres, each with its event in the same transaction. A row that cannot be read back is an error, never "no grant". */
import { type Outbox, serviceActor, userActor } from '@bravo/events';
import { Fault } from '@bravo/faults';
import { canonicalDigest, isJsonObject, type JsonObject, type JsonValue } from '@bravo/policy';
import { holdOpen } from '../conversations/hold-open.prisma.ts';
import { type BrokerDatabase, type BrokerTransaction, isOne } from '../databases/broker-database.prisma.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { type Grant, GRANT_SOURCES, type GrantStore, MOST_LIVE, type NewGrant } from './grant.ts';

type Row = Prisma.GrantGetPayload<object>;
type Events = Pick<Outbox, 'appendEvent'>;

export const createGrantStore = (database: BrokerDatabase, outbox: Events): GrantStore => ({
  create: (grant) => database.$transaction((tx) => insertGrant(tx, outbox, grant)),
  live: async (conversationId, now) => {
    const rows = await database.grant.findMany({
      where: { conversationId, revokedAt: null, expiresAt: { gt: new Date(now) }, conversation: { erasedAt: null } },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
    return rows.map(view);
  },
  revoke: (owner, id, reason) =>
    database.$transaction(async (tx) => {
      const row = await tx.grant.findFirst({ where: { id, ...owner } });
      if (row === null) return false;
      const ended = await tx.grant.updateMany({
        where: { id, revokedAt: null, expiresAt: { gt: new Date() } },
        data: { revokedAt: new Date() },
      });
      if (isOne(ended)) await tellRevoked(tx, outbox, row, userActor(owner.userId), reason);
      return true;
    }),
});

/** Also for whoever gives one in the transaction of an answer. @throws Fault conversation_ended, resource_exhausted */
export const insertGrant = async (tx: BrokerTransaction, outbox: Events, grant: NewGrant): Promise<Grant> => {
  const { ttlSeconds, scope, ...given } = grant;
  await holdOpen(tx, grant.conversationId);
  const now = new Date();
  const live = await tx.grant.count({
    where: { conversationId: grant.conversationId, revokedAt: null, expiresAt: { gt: now } },
  });
  if (live >= MOST_LIVE)
    throw new Fault('resource_exhausted', `${MOST_LIVE} grants are live in this conversation. Revoke some first.`);
  const expiresAt = new Date(now.getTime() + ttlSeconds * 1_000);
  const row = await tx.grant.create({ data: { ...given, scope: JSON.stringify(scope), createdAt: now, expiresAt } });
  await outbox.appendEvent(tx, {
    type: 'agent.grant.created',
    ...placeOf(row),
    actor: userActor(row.userId),
    ...(row.toolCallId === '' ? {} : { causation: row.toolCallId }),
    data: {
      grant_id: row.id,
      operation: row.tool,
      scope: Object.keys(scope).join(', ').slice(0, 2_000),
      scope_digest: canonicalDigest(scope),
      source: grant.source,
      ...(row.toolCallId === '' ? {} : { tool_call_id: row.toolCallId }),
      expires_at: expiresAt.toISOString(),
    },
  });
  return view(row);
};

/** Ends every live grant with its conversation and forgets what each was for: a scope repeats arguments. */
export const endGrants = async (tx: BrokerTransaction, outbox: Events, conversationId: string): Promise<void> => {
  const live = await tx.grant.findMany({ where: { conversationId, revokedAt: null, expiresAt: { gt: new Date() } } });
  for (const row of live) await tellRevoked(tx, outbox, row, serviceActor('broker'), 'the conversation ended');
  await tx.grant.updateMany({
    where: { conversationId, id: { in: live.map(({ id }) => id) } },
    data: { revokedAt: new Date() },
  });
  await tx.grant.updateMany({ where: { conversationId }, data: { scope: '{}' } });
};

const tellRevoked = async (
  tx: BrokerTransaction,
  outbox: Events,
  row: Row,
  actor: string,
  reason: string,
): Promise<void> => {
  await outbox.appendEvent(tx, {
    type: 'agent.grant.revoked',
    ...placeOf(row),
    actor,
    ...(actor === userActor(row.userId) ? {} : { onBehalfOf: row.userId }),
    data: { grant_id: row.id, reason },
  });
};

const placeOf = (row: Row) => ({ workspace: row.workspaceId, conversation: row.conversationId });

/** @throws for a row nobody here wrote: what it grants is then not known. */
const view = (row: Row): Grant => {
  const source = GRANT_SOURCES.find((known) => known === row.source);
  if (source === undefined) throw new Error(`the grant ${row.id} has an unknown source`);
  return {
    id: row.id,
    conversationId: row.conversationId,
    tool: row.tool,
    scope: readScope(row.scope),
    source,
    toolCallId: row.toolCallId,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt.getTime(),
  };
};

/** @throws for a text that is no JSON object. */
export const readScope = (text: string): JsonObject => {
  const value = JSON.parse(text) as JsonValue;
  if (!isJsonObject(value)) throw new Error('a stored scope is no object');
  return value;
};
