/** Marks, choices and events of what people do with files, in Postgres. Events hold digests and sizes; a file's name is content. */
import { createHash } from 'node:crypto';
import { type Outbox, userActor } from '@bravo/events';
import { holdOpen } from '../conversations/hold-open.prisma.ts';
import type { BrokerDatabase } from '../databases/broker-database.prisma.ts';
import { markWrites } from '../tool-calls/record-judged.prisma.ts';
import type { FileRecords } from './conversation-file.ts';

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
const KINDS = ['file', 'link', 'directory'] as const;

export const createFileRecords = (
  database: BrokerDatabase,
  outbox: Pick<Outbox, 'appendEvent'>,
  told: () => void,
): FileRecords => ({
  begin: (conversationId, path, changeId) =>
    database.$transaction(async (tx) => {
      await holdOpen(tx, conversationId);
      await markWrites(tx, { id: changeId, conversationId }, [path]);
    }),
  uploaded: async ({ userId, workspaceId }, conversationId, { id, path, trusted, content, created }) => {
    await database.$transaction(async (tx) => {
      await holdOpen(tx, conversationId);
      await tx.pathTrust.updateMany({
        where: { conversationId, path, writtenBy: id },
        data: { trusted, updatedAt: new Date() },
      });
      await outbox.appendEvent(tx, {
        type: 'agent.file.uploaded',
        workspace: workspaceId,
        conversation: conversationId,
        actor: userActor(userId),
        data: {
          ...{ upload_id: id, path_digest: sha256(path), bytes: content.length, digest: sha256(content) },
          ...{ created, lets_read: trusted },
        },
      });
    });
    told();
  },
  removed: async ({ userId, workspaceId }, conversationId, { path, kind }) => {
    await database.$transaction((tx) =>
      outbox.appendEvent(tx, {
        type: 'agent.file.removed',
        workspace: workspaceId,
        conversation: conversationId,
        actor: userActor(userId),
        data: { path_digest: sha256(path), kind: KINDS.find((known) => known === kind) ?? 'file' },
      }),
    );
    told();
  },
  letsRead: async ({ userId, workspaceId }) => {
    const row = await database.uploadChoice.findUnique({ where: { workspaceId_userId: { workspaceId, userId } } });
    return row?.letsRead === true;
  },
  rememberLetsRead: async ({ userId, workspaceId }, letsRead) => {
    const data = { letsRead, updatedAt: new Date() };
    await database.uploadChoice.upsert({
      where: { workspaceId_userId: { workspaceId, userId } },
      create: { workspaceId, userId, ...data },
      update: data,
    });
  },
});
