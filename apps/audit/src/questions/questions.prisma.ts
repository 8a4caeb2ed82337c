/** The questions in SQL: each begins at an index of the log and never reads the whole of it. */
import type { Database } from '../databases/database.prisma.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { fromRow, type Row } from '../trail/entries.prisma.ts';
import type { QuestionPage, Questions } from './questions.port.ts';

/** The bytes are canonical JSON, so a field stands there exactly so; what follows it tells 1 from 11. */
const says = (field: string, value: string | number): Prisma.Sql => {
  const told = `"${field}":${JSON.stringify(value)}`;
  const stands = (text: string): Prisma.Sql => Prisma.sql`position(convert_to(${text}, 'UTF8') IN "e"."leaf") > 0`;
  return Prisma.sql`(${stands(`${told},`)} OR ${stands(`${told}}`)})`;
};

export const createQuestions = (database: Database): Questions => {
  const page = async (workspaceId: string, { after, limit }: QuestionPage, where: Prisma.Sql) => {
    const rows = await database.$queryRaw<Row[]>`
      SELECT "e".* FROM "entries" AS "e" WHERE "e"."workspace_id" = ${workspaceId} AND "e"."index" > ${after} AND (${where})
      ORDER BY "e"."index" LIMIT ${limit}`;
    return rows.map(fromRow);
  };
  const grantOf: Questions['grantOf'] = async (workspaceId, grantId) => {
    const rows = await database.$queryRaw<Row[]>`
      SELECT "e".* FROM "entries" AS "e" WHERE "e"."workspace_id" = ${workspaceId} AND "e"."type" = 'agent.grant.created'
        AND ${says('grant_id', grantId)} ORDER BY "e"."index" LIMIT 1`;
    return rows[0] && fromRow(rows[0]);
  };
  return {
    grantOf,

    async slot(workspaceId, conversationId, slot, asked) {
      const calls = await database.$queryRaw<{ tool_call_id: string }[]>`
        SELECT DISTINCT "e"."tool_call_id" FROM "entries" AS "e" WHERE "e"."workspace_id" = ${workspaceId}
          AND "e"."conversation_id" = ${conversationId} AND "e"."type" = 'agent.content.quarantined' AND ${says('slot', slot)}`;
      const ids = calls.map((call) => call.tool_call_id);
      return page(
        workspaceId,
        asked,
        Prisma.sql`"e"."tool_call_id" = ANY(${ids}::text[]) AND ("e"."type" IN ('agent.tool.approved', 'agent.trail.content_opened')
          OR ("e"."type" = 'agent.content.quarantined' AND ${says('slot', slot)})
          OR ("e"."type" = 'agent.content.released' AND (${says('slot', slot)} OR position('"slot":'::bytea IN "e"."leaf") = 0)))`,
      );
    },

    async grant(workspaceId, grantId, asked) {
      const given = await grantOf(workspaceId, grantId);
      if (!given) return [];
      const under = Prisma.sql`(SELECT "d"."tool_call_id" FROM "entries" AS "d" WHERE "d"."workspace_id" = ${workspaceId}
        AND "d"."rule" = ${grantId} AND "d"."type" = 'agent.tool.decided' AND "d"."tool_call_id" <> '')`;
      return page(
        workspaceId,
        asked,
        Prisma.sql`"e"."conversation_id" = ${given.conversationId} AND ("e"."tool_call_id" IN ${under}
          OR ("e"."type" IN ('agent.grant.created', 'agent.grant.revoked') AND ${says('grant_id', grantId)}))`,
      );
    },

    approvals: (workspaceId, userId, asked) =>
      page(
        workspaceId,
        asked,
        Prisma.sql`EXISTS (SELECT 1 FROM "entries" AS "a" WHERE "a"."workspace_id" = ${workspaceId} AND "a"."actor" = ${`user:${userId}`}
          AND "a"."type" IN ('agent.tool.approved', 'agent.tool.denied') AND "a"."tool_call_id" = "e"."tool_call_id"
          AND "a"."tool_call_id" <> '' AND "a"."index" <= "e"."index")`,
      ),
  };
};
