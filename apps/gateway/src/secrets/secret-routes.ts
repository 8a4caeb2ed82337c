/** The routes of a workspace's sealed secrets: put and listed by admins, read back by nobody. */
import { z } from 'zod';
import { defineRoute } from '../routes/route.ts';

const area = 'Settings';

export const secretNames = z.object({ names: z.array(z.string()).describe('Names only: a value is never told again') });
export type SecretNames = z.output<typeof secretNames>;

export const LIST_SECRETS = defineRoute({
  method: 'GET',
  path: '/api/v1/:ws/bravo/secrets',
  summary: "Names of the workspace's sealed secrets, which `env` of a provider block may name; for admins",
  area,
  access: 'bravo',
  needs: 'workspace:configure',
  status: 200,
  answer: secretNames,
});

export const PUT_SECRET = defineRoute({
  method: 'PUT',
  path: '/api/v1/:ws/bravo/secrets/:name',
  summary: 'Seals a secret, for example the key of a model provider; for admins',
  area,
  access: 'bravo',
  needs: 'workspace:configure',
  body: z.strictObject({ value: z.string().min(1).max(16_384) }),
  status: 204,
});
