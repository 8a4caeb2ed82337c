/** Members over gRPC, as automation's own work. */
import type { GrpcClient } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import type { IdentityServiceService } from '@bravo/proto/identity';
import type { Member, Members } from './members.port.ts';

export const createMembers = (identity: GrpcClient<typeof IdentityServiceService>): Members => {
  const find = async (workspaceId: string, userId: string): Promise<Member | undefined> => {
    try {
      const { person, membership } = await identity.resolveMember({ workspaceId, userId });
      if (!person || !membership) return undefined;
      const { permissions, workspaceSlug } = membership;
      return { userId: person.id, email: person.email, permissions, workspaceSlug };
    } catch (error) {
      if (error instanceof Fault && error.code === 'not_found') return undefined;
      throw error;
    }
  };
  return {
    find,
    async auditors(workspaceId) {
      const { members } = await identity.listMembers({ workspaceId });
      const found: string[] = [];
      for (const { person } of members) {
        const member = person && (await find(workspaceId, person.id));
        if (member?.permissions.includes('audit_read')) found.push(member.userId);
      }
      return found;
    },
  };
};
