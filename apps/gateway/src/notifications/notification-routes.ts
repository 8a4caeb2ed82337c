/** The routes of a person's feed, notifications and how they want to hear of things; each is about the caller's own. */
import { z } from 'zod';
import { defineRoute } from '../routes/route.ts';
import { nextCursor, pageQuery } from '../routes/shapes.ts';

const area = 'Notifications';
const route = { area, access: 'member', status: 200 } as const;

export const activityView = z.object({
  id: z.string(),
  type: z.string(),
  text: z.string(),
  conversation_id: z.string(),
  actor: z.string(),
  time: z.string(),
});

export const LIST_ACTIVITY = defineRoute({
  ...route,
  method: 'GET',
  path: '/api/v1/:ws/activity',
  summary: "What @bravo did in one's own conversations, and what was changed for everybody; newest first",
  query: z.strictObject(pageQuery),
  answer: z.object({ activities: z.array(activityView), next_cursor: nextCursor }),
});

export const KINDS = ['approval_wanted', 'turn_finished', 'budget_near', 'trail_problem'] as const;

export const notificationView = z.object({
  id: z.string(),
  kind: z.string(),
  text: z.string(),
  conversation_id: z.string(),
  time: z.string(),
  read: z.boolean(),
});

export const LIST_NOTIFICATIONS = defineRoute({
  ...route,
  method: 'GET',
  path: '/api/v1/:ws/notifications',
  summary: "One's own notifications, newest first",
  query: z.strictObject({ ...pageQuery, unread: z.stringbool().optional().describe('Only those that were not read') }),
  answer: z.object({ notifications: z.array(notificationView), unread: z.int(), next_cursor: nextCursor }),
});

export const MARK_READ = defineRoute({
  ...route,
  method: 'POST',
  path: '/api/v1/:ws/notifications/read',
  summary: "Marks one's own notifications as read, those named or all",
  body: z.strictObject({
    ids: z
      .array(z.string().regex(/^[1-9]\d{0,17}$/))
      .max(200)
      .optional(),
    all: z.boolean().optional(),
  }),
  answer: z.object({ unread: z.int() }),
});

export const preferencesBody = z.strictObject({
  email: z.array(z.enum(KINDS)).max(KINDS.length).describe('Kinds that are also sent by e-mail'),
  digest: z.string().max(5).describe('"07:30": what is not urgent is sent together then; empty: each at once'),
  quiet_from: z.string().max(5),
  quiet_to: z.string().max(5).describe('Nothing is sent between the two; both empty: there are no quiet hours'),
  time_zone: z.string().min(1).max(64).describe('Europe/Zurich, UTC …'),
  webhook: z
    .string()
    .max(2_000)
    .default('')
    .describe('https address that notifications are sent to, signed (Standard Webhooks); empty: none'),
  webhook_kinds: z.array(z.enum(KINDS)).max(KINDS.length).default([]).describe('Kinds that are also sent there'),
});

export const GET_PREFERENCES = defineRoute({
  ...route,
  method: 'GET',
  path: '/api/v1/:ws/notifications/preferences',
  summary: 'How one wants to hear of things',
  answer: preferencesBody.extend({
    email_offered: z.boolean().describe('Whether the operator has e-mail at all'),
    webhook_problem: z.string().describe('Why the webhook did not take the newest one; empty where it did'),
  }),
});

export const PUT_PREFERENCES = defineRoute({
  ...route,
  method: 'PUT',
  path: '/api/v1/:ws/notifications/preferences',
  summary: 'Says how one wants to hear of things',
  body: preferencesBody,
  answer: preferencesBody.extend({
    webhook_secret: z.string().describe('What the webhook is signed with, told when its host is new; else empty'),
  }),
});
