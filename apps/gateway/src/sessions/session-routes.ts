/** The routes of signing in and out, and what the page learns of its person. */
import { z } from 'zod';
import { defineRoute } from '../routes/route.ts';
import { membership, person } from '../routes/shapes.ts';

export const sessionView = z.object({
  person,
  memberships: z.array(membership).readonly(),
  csrf_token: z.string().describe('Sent back as X-CSRF-Token with every change; empty for an API token'),
  credential_kind: z.enum(['session', 'api_token']),
  scopes: z.array(z.string()).readonly(),
  warnings: z.array(z.string()).readonly().describe('What a person should know of this installation'),
});
export type SessionView = z.output<typeof sessionView>;

const area = 'Sessions';

export const SIGN_IN = defineRoute({
  method: 'POST',
  path: '/api/v1/sign-in',
  summary: 'Starts a session as a person of the local issuer; sets the session cookie',
  area,
  access: 'anyone',
  body: z.strictObject({ name: z.string().min(1).max(100) }),
  status: 200,
  answer: sessionView,
});

export const LIST_LOCAL_PEOPLE = defineRoute({
  method: 'GET',
  path: '/api/v1/sign-in/people',
  summary: 'Whom the local issuer can sign in',
  area,
  access: 'anyone',
  status: 200,
  answer: z.object({ people: z.array(person) }),
});

export const SIGN_OUT = defineRoute({
  method: 'POST',
  path: '/api/v1/sign-out',
  summary: 'Ends the session',
  area,
  access: 'person',
  status: 204,
});

export const DESCRIBE_ME = defineRoute({
  method: 'GET',
  path: '/api/v1/me',
  summary: 'Who is signed in, and where they are a member',
  area,
  access: 'person',
  status: 200,
  answer: sessionView,
});
