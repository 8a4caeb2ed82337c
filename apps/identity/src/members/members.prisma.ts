/** Members in Postgres. The last owner cannot vanish in a race: the workspace row is locked while owners are counted. */
import type { Database } from '../databases/database.prisma.ts';
import type { EventLog } from '../events/event-log.prisma.ts';
import { toPerson, toWorkspace } from '../people/people.prisma.ts';
import { membershipOf } from '../people/person.ts';
import type { MemberStore } from './member-store.ts';

export const createMemberStore = (database: Database, events: EventLog): MemberStore => ({
  listMembers: async (workspaceId) => {
    const rows = await database.member.findMany({
      where: { workspaceId },
      include: { person: true },
      orderBy: { person: { name: 'asc' } },
    });
    return rows.map((row) => ({ person: toPerson(row.person), role: row.role }));
  },
  findMember: async (workspaceId, userId) => {
    const row = await database.member.findUnique({
      where: { workspaceId_userId: { workspaceId, userId } },
      include: { person: true, workspace: true },
    });
    return row
      ? { person: toPerson(row.person), membership: membershipOf(toWorkspace(row.workspace), row.role), role: row.role }
      : undefined;
  },
  changeRole: ({ workspaceId, userId, from, to, keepAnOwner, actor }) =>
    database.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT "id" FROM "workspaces" WHERE "id" = ${workspaceId} FOR UPDATE`;
      if (keepAnOwner) {
        const others = await tx.member.count({ where: { workspaceId, role: 'owner', userId: { not: userId } } });
        if (others === 0) return 'last_owner';
      }
      const { count } = await tx.member.updateMany({
        where: { workspaceId, userId, role: from },
        data: { role: to, updatedAt: new Date() },
      });
      if (count !== 1) return 'moved';
      await events.append(tx, {
        type: 'agent.member.changed',
        workspace: workspaceId,
        actor,
        data: { user_id: userId, from, to },
      });
      return 'changed';
    }),
});
