/** The routes of messages and of the events that follow them. */
import { z } from 'zod';
import { defineRoute } from '../routes/route.ts';
import { nextCursor, pageQuery } from '../routes/shapes.ts';
import { exchangeView, messageView } from './message-view.ts';

const area = 'Messages';
const root = '/api/v1/:ws/bravo/conversations/:cid';

export const POST_MESSAGE = defineRoute({
  method: 'POST',
  path: `${root}/messages`,
  summary: 'Says something: the turn as events, or its finished message for a client that does not accept them',
  area,
  access: 'bravo',
  headers: { 'Idempotency-Key': 'The same key gives the same message and turn, however often it is sent' },
  body: z.strictObject({
    // How long either may be is the orchestrator's to say: it knows what a pod can be told.
    content: z.string().trim().min(1),
    context: z
      .record(z.string(), z.json())
      .optional()
      .describe('What the person is looking at; @bravo is told it beside the message'),
  }),
  status: 200,
  answer: exchangeView,
  alsoAnswers: ['text/event-stream'],
});

export const LIST_MESSAGES = defineRoute({
  method: 'GET',
  path: `${root}/messages`,
  summary: 'Messages, newest first',
  area,
  access: 'bravo',
  query: z.strictObject(pageQuery),
  status: 200,
  answer: z.object({ messages: z.array(messageView), next_cursor: nextCursor }),
});

export const FOLLOW_EVENTS = defineRoute({
  method: 'GET',
  path: `${root}/events`,
  summary: "The conversation's events after a position, then the live ones, until the client goes",
  area,
  access: 'bravo',
  headers: { 'Last-Event-ID': 'Goes before `after`' },
  query: z.strictObject({
    after: z.string().max(100).optional().describe('A position, or the id of an event; from now on where it is absent'),
  }),
  status: 200,
  alsoAnswers: ['text/event-stream'],
});
