/** The routes of loops, goals and watches: begun by a line, listed, and ended by their person. */
import { LIMITS } from '@bravo/policy';
import { z } from 'zod';
import { defineRoute } from '../routes/route.ts';
import { instant } from '../routes/shapes.ts';

const area = 'Schedules';
const base = '/api/v1/:ws/bravo/conversations/:cid/schedules';
const { min: shortest = 5, value: longest } = LIMITS['loop-person-interval'];

export const scheduleView = z.object({
  id: z.string(),
  conversation_id: z.string(),
  kind: z.string().describe('loop, goal or watch'),
  status: z.string().describe('live or ended'),
  line: z.string().describe('What is asked again, as the person typed it'),
  every_seconds: z.int().describe('Of a loop: the time after each answer; 0: its answers say when'),
  path: z.string().describe('Of a watch: the file; else empty'),
  fires: z.int().describe('Turns it has made, the first one included'),
  quiet: z.int().describe('Looks in a row that found nothing'),
  due_at: instant.nullable().describe('When it is asked again; null while its turn is not over, and of a watch'),
  expires_at: instant,
  created_at: instant,
  ended_at: instant.nullable(),
  end_reason: z.string().describe('A code; empty while it lives'),
  end_text: z.string(),
});
export type ScheduleView = z.output<typeof scheduleView>;

export const LIST_SCHEDULES = defineRoute({
  method: 'GET',
  path: base,
  summary: 'Loops, goals and watches of the conversation: live ones, then the newest that ended',
  area,
  access: 'bravo',
  status: 200,
  answer: z.object({ schedules: z.array(scheduleView) }),
});

export const START_SCHEDULE = defineRoute({
  method: 'POST',
  path: base,
  summary: 'Asks a line now and again: the same as the message "/loop …" or "/goal …"',
  area,
  access: 'bravo',
  body: z.strictObject({
    kind: z.enum(['loop', 'goal']),
    line: z.string().trim().min(1),
    every_seconds: z
      .int()
      .min(shortest)
      .max(longest)
      .optional()
      .describe('Of a loop: the time after each answer; left out, its answers say when'),
  }),
  status: 202,
  answer: z.object({ turn_id: z.string() }),
});

export const CANCEL_SCHEDULE = defineRoute({
  method: 'DELETE',
  path: `${base}/:sid`,
  summary: 'Ends a loop, goal or watch; one that has ended stays ended',
  area,
  access: 'bravo',
  status: 204,
});
