/** The route of the tools and what policy says of each. */
import { z } from 'zod';
import { defineRoute } from '../routes/route.ts';

export const toolView = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  effect: z.string().describe('read, write or destructive'),
  external: z.boolean(),
  permission: z.string(),
  family: z.string().describe('Which permission rules speak about it: Read, Edit, Bash, WebFetch, Mcp or none'),
  modes: z.array(z.string()),
  policy_state: z.string().describe('available, needs_approval or denied'),
  policy_reason: z.string(),
});
export type ToolView = z.output<typeof toolView>;

export const LIST_TOOLS = defineRoute({
  method: 'GET',
  path: '/api/v1/:ws/bravo/tools',
  summary: 'Every tool with its class and what policy says of it, the denied ones too',
  area: 'Tools',
  access: 'bravo',
  status: 200,
  answer: z.object({ tools: z.array(toolView) }),
});
