/** The routes of what @bravo may do in a workspace. */
import { z } from 'zod';
import { defineRoute } from '../routes/route.ts';

export const agentConfig = z.strictObject({
  enabled: z.boolean(),
  allowed_tools: z.array(z.string()).max(500).describe('Empty: all that mode and role allow'),
  denied_tools: z.array(z.string()).max(500),
  require_approval: z.array(z.string()).max(500),
  code_exec_enabled: z.boolean(),
  max_concurrent: z.int().min(1).max(50).describe('Conversations with a live agent at once'),
  max_delegates: z
    .int()
    .min(1)
    .max(50)
    .default(8)
    .describe('Delegates with a live agent at once; they count against nothing else'),
});
export type AgentConfig = z.output<typeof agentConfig>;

const area = 'Configuration';
const path = '/api/v1/:ws/bravo/config';

export const GET_CONFIG = defineRoute({
  method: 'GET',
  path,
  summary: 'The configuration that future conversations start with; its version is the ETag',
  area,
  access: 'bravo',
  status: 200,
  answer: agentConfig,
});

export const PUT_CONFIG = defineRoute({
  method: 'PUT',
  path,
  summary: 'Replaces the configuration for future conversations; for admins',
  area,
  access: 'bravo',
  needs: 'workspace:configure',
  headers: { 'If-Match': 'The ETag that was read; a newer one refuses the change' },
  body: agentConfig,
  status: 200,
  answer: agentConfig,
});
