/** Leases as two columns of the conversation, by the database's clock. */
import type { Database } from '../databases/database.prisma.ts';
import type { LeaseStore } from './lease-store.ts';

export const createLeaseStore = (
  database: Database,
  { holder, leaseSeconds }: { readonly holder: string; readonly leaseSeconds: number },
): LeaseStore => ({
  renew: async (conversationIds) => {
    const rows = await database.$queryRaw<{ id: string }[]>`
      UPDATE "conversations" SET "lease_expires_at" = now() + make_interval(secs => ${leaseSeconds}::double precision)
      WHERE "id" = ANY(${[...conversationIds]}::text[]) AND "lease_holder" = ${holder} AND "lease_expires_at" > now()
      RETURNING "id"`;
    return rows.map(({ id }) => id);
  },
  release: async (id) =>
    void (await database.conversation.updateMany({
      where: { id, leaseHolder: holder },
      data: { leaseHolder: null, leaseExpiresAt: null },
    })),
  releaseOf: async (holders) =>
    void (await database.conversation.updateMany({
      where: { leaseHolder: { in: [...holders] } },
      data: { leaseHolder: null, leaseExpiresAt: null },
    })),
});
