/** The routes of conversations themselves. */
import { z } from 'zod';
import { approvalView } from '../approvals/approval-view.ts';
import { messageView } from '../messages/message-view.ts';
import { defineRoute } from '../routes/route.ts';
import { instant, mode, MODES, nextCursor, pageQuery } from '../routes/shapes.ts';

export const conversationView = z.object({
  id: z.string(),
  user_id: z.string(),
  project_id: z.string(),
  title: z.string(),
  mode: z.enum(MODES),
  status: z.enum(['active', 'ended']),
  created_at: instant,
  updated_at: instant,
  running_turn_id: z.string().describe('Empty when no turn runs'),
  delegate: z
    .object({ name: z.string(), parent_conversation_id: z.string(), root_conversation_id: z.string() })
    .nullable()
    .describe("What it is as somebody's delegate; null for a conversation of the person's own"),
  unattended: z.boolean().describe('Nobody looks on, so allow rules of settings decide nothing'),
});
export type ConversationView = z.output<typeof conversationView>;

export const conversationDetail = z.object({
  conversation: conversationView,
  messages: z.array(messageView).describe('The newest 50, oldest first'),
  approvals: z.array(approvalView).describe('Questions that wait for an answer'),
  stream_position: z.string().describe('Events after this position are news to whoever holds this answer'),
});
export type ConversationDetail = z.output<typeof conversationDetail>;

const area = 'Conversations';
const root = '/api/v1/:ws/bravo/conversations';

export const CREATE_CONVERSATION = defineRoute({
  method: 'POST',
  path: root,
  summary: 'Begins a conversation; its policy is the one in force now',
  area,
  access: 'bravo',
  body: z.strictObject({
    project_id: z.string().max(64).optional(),
    title: z.string().max(200).optional(),
    mode: mode.optional().describe('coworker where it is not said'),
    unattended: z
      .boolean()
      .optional()
      .describe('True where nobody looks on: allow rules of settings then decide nothing, deny and ask rules do'),
  }),
  status: 201,
  answer: conversationView,
});

export const LIST_CONVERSATIONS = defineRoute({
  method: 'GET',
  path: root,
  summary: "The person's conversations, newest first",
  area,
  access: 'bravo',
  query: z.strictObject({ ...pageQuery, user: z.string().max(64).optional().describe("Another person's, for admins") }),
  status: 200,
  answer: z.object({ conversations: z.array(conversationView), next_cursor: nextCursor }),
});

export const GET_CONVERSATION = defineRoute({
  method: 'GET',
  path: `${root}/:cid`,
  summary: 'One conversation with its newest messages and open questions',
  area,
  access: 'bravo',
  status: 200,
  answer: conversationDetail,
});

export const END_CONVERSATION = defineRoute({
  method: 'DELETE',
  path: `${root}/:cid`,
  summary: 'Ends it: pod released, tokens revoked, slots and files erased',
  area,
  access: 'bravo',
  status: 204,
});

export const SET_MODE = defineRoute({
  method: 'PATCH',
  path: `${root}/:cid/mode`,
  summary: 'Sets how much @bravo may do in this conversation',
  area,
  access: 'bravo',
  body: z.strictObject({ mode }),
  status: 200,
  answer: conversationView,
});

export const CANCEL_TURN = defineRoute({
  method: 'POST',
  path: `${root}/:cid/cancel`,
  summary: 'Stops the running turn within two seconds; asked again it stops nothing more',
  area,
  access: 'bravo',
  status: 200,
  answer: z.object({ cancelled: z.boolean().describe('Whether this call stopped a turn') }),
});
