/** Instructions in Postgres: a row for each version, written with the event that tells of it. */
import { type Outbox, serviceActor } from '@bravo/events';
import type { Database, Transaction } from '../databases/database.prisma.ts';
import { inTransaction } from '../databases/transactions.prisma.ts';
import type { InstructionsModel } from '../generated/prisma/models.ts';
import { digestOf } from './compose-instructions.ts';
import type { InstructionPart, ToldInstructions } from './instruction-part.ts';
import type { InstructionStore } from './instruction-store.ts';

export const createInstructionStore = (database: Database, outbox: Outbox): InstructionStore => ({
  latest: (conversationId) => latestOf(database, conversationId),
  record: async ({ workspaceId, userId }, conversationId, { text, parts }) => {
    const digest = digestOf(text);
    const holds = (latest: ToldInstructions): boolean => latest.digest === digest && same(latest.parts, parts);
    // Most turns are told what the one before was; a version is never taken back, so a look is enough for them.
    const seen = await latestOf(database, conversationId);
    if (seen && holds(seen)) return seen;
    return inTransaction(database, async (tx) => {
      const latest = await latestOf(tx, conversationId);
      if (latest && holds(latest)) return latest;
      const version = (latest?.version ?? 0) + 1;
      const row = await tx.instructions.create({
        data: { conversationId, version, digest, text, parts: parts.map((part) => ({ ...part })) },
      });
      await outbox.appendEvent(tx, {
        type: 'agent.instructions.told',
        workspace: workspaceId,
        conversation: conversationId,
        actor: serviceActor('orchestrator'),
        onBehalfOf: userId,
        data: {
          ...{ version, digest, bytes: Buffer.byteLength(text) },
          parts: parts.map(({ source, bytes, told, digest: of }) => ({
            ...{ source, bytes, told },
            ...(of === '' ? {} : { digest: of }),
          })),
        },
      });
      return toTold(row);
    });
  },
});

const latestOf = async (
  from: Pick<Transaction, 'instructions'>,
  conversationId: string,
): Promise<ToldInstructions | undefined> => {
  const row = await from.instructions.findFirst({ where: { conversationId }, orderBy: { version: 'desc' } });
  return row ? toTold(row) : undefined;
};

const toTold = ({ version, digest, text, parts, createdAt }: InstructionsModel): ToldInstructions => ({
  ...{ version, digest, text, createdAt },
  // Written by `record` alone.
  parts: parts as unknown as readonly InstructionPart[],
});

const same = (a: readonly InstructionPart[], b: readonly InstructionPart[]): boolean =>
  a.length === b.length &&
  a.every((part, index) => {
    const other = b[index];
    return (
      part.source === other?.source &&
      part.digest === other.digest &&
      part.told === other.told &&
      part.bytes === other.bytes
    );
  });
