/** Instructions in Postgres, one row a conversation. */
import type { Database } from '../databases/database.prisma.ts';
import type { InstructionStore } from './instruction-store.ts';

export const createInstructionStore = (database: Database): InstructionStore => ({
  find: async (workspaceId, conversationId) =>
    (await database.conversationInstructions.findFirst({ where: { conversationId, workspaceId } })) ?? undefined,
  put: async ({ conversationId, workspaceId, version, digest, text }) => {
    await database.$executeRaw`
      INSERT INTO "conversation_instructions" ("conversation_id", "workspace_id", "version", "digest", "text", "updated_at")
      VALUES (${conversationId}, ${workspaceId}, ${version}::int, ${digest}, ${text}, now())
      ON CONFLICT ("conversation_id") DO UPDATE SET "version" = EXCLUDED."version", "digest" = EXCLUDED."digest",
        "text" = EXCLUDED."text", "updated_at" = now()
      WHERE "conversation_instructions"."workspace_id" = EXCLUDED."workspace_id"
        AND "conversation_instructions"."version" <= EXCLUDED."version"`;
  },
  forget: async (workspaceId, conversationId) =>
    void (await database.conversationInstructions.deleteMany({ where: { workspaceId, conversationId } })),
});
