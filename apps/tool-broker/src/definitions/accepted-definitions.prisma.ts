/** The person's answers to skills and agent definitions among the files, in Postgres, each with its event. */
import { type Outbox, userActor } from '@bravo/events';
import { holdOpen } from '../conversations/hold-open.prisma.ts';
import type { BrokerDatabase } from '../databases/broker-database.prisma.ts';
import type { AcceptedDefinitions } from './definition.ts';

export const createAcceptedDefinitions = (
  database: BrokerDatabase,
  outbox: Pick<Outbox, 'appendEvent'>,
): AcceptedDefinitions => ({
  accepted: async (conversationId) =>
    database.acceptedDefinition.findMany({
      where: { conversationId },
      select: { kind: true, name: true, digest: true },
    }),
  accept: ({ conversationId, workspaceId, userId }, { kind, name, digest, bytes }) =>
    database.$transaction(async (tx) => {
      await holdOpen(tx, conversationId);
      const { count } = await tx.acceptedDefinition.createMany({
        data: [{ conversationId, kind, name, digest }],
        skipDuplicates: true,
      });
      if (count === 0) return;
      await outbox.appendEvent(tx, {
        type: 'agent.definition.changed',
        workspace: workspaceId,
        conversation: conversationId,
        actor: userActor(userId),
        data: { kind, layer: 'repository', name, version: 1, bytes, digest },
      });
    }),
});
