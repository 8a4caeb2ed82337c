/** The routes of a workspace's members. */
import { z } from 'zod';
import { defineRoute } from '../routes/route.ts';
import { person } from '../routes/shapes.ts';

export const memberView = z.object({ person, role: z.string() });
export type MemberView = z.output<typeof memberView>;

const area = 'Members';

export const LIST_MEMBERS = defineRoute({
  method: 'GET',
  path: '/api/v1/:ws/members',
  summary: 'The members and their roles',
  area,
  access: 'member',
  status: 200,
  answer: z.object({ members: z.array(memberView) }),
});

export const SET_MEMBER_ROLE = defineRoute({
  method: 'PUT',
  path: '/api/v1/:ws/members/:uid',
  summary: "Sets a member's role, in force with their next request; for admins",
  area,
  access: 'member',
  needs: 'workspace:configure',
  body: z.strictObject({ role: z.enum(['owner', 'admin', 'member', 'viewer', 'auditor']) }),
  status: 200,
  answer: memberView,
});
