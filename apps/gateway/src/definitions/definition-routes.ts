/** The routes of skills and agent definitions: the workspace's, which admins write, and a person's own. */
import { z } from 'zod';
import { defineRoute } from '../routes/route.ts';
import { instant } from '../routes/shapes.ts';

const area = 'Settings';

const listed = z.object({
  kind: z.enum(['skill', 'agent']),
  layer: z.enum(['workspace', 'user']),
  name: z.string(),
  description: z.string(),
  version: z.number().int().describe('Grows by one with each change; the ETag'),
  updated_at: instant,
});
export const definitionList = z.object({ definitions: z.array(listed) });
export type DefinitionList = z.output<typeof definitionList>;
export const definitionText = listed.extend({ text: z.string().describe('Front matter and Markdown') });
export type DefinitionText = z.output<typeof definitionText>;
export const definitionWritten = listed.extend({
  ignored: z.array(z.string()).describe('Keys of the front matter that change nothing'),
});
export type DefinitionWritten = z.output<typeof definitionWritten>;

const path = '/api/v1/:ws/bravo/definitions/:kind/:layer/:name';

export const LIST_DEFINITIONS = defineRoute({
  method: 'GET',
  path: '/api/v1/:ws/bravo/definitions',
  summary: "Skills and agent definitions that hold for the caller: the workspace's and their own, without texts",
  area,
  access: 'bravo',
  status: 200,
  answer: definitionList,
});
export const GET_DEFINITION = defineRoute({
  method: 'GET',
  path,
  summary: 'One skill or agent definition with its text; layer is workspace or user',
  area,
  access: 'bravo',
  status: 200,
  answer: definitionText,
});
export const PUT_DEFINITION = defineRoute({
  method: 'PUT',
  path,
  summary: "Creates or replaces one: admins the workspace's, people their own; If-Match as for the configuration",
  area,
  access: 'bravo',
  body: z.strictObject({ text: z.string().min(1).max(40_000) }),
  status: 200,
  answer: definitionWritten,
});
export const DELETE_DEFINITION = defineRoute({
  method: 'DELETE',
  path,
  summary: 'Deletes one; what was deleted holds in no conversation any more',
  area,
  access: 'bravo',
  status: 204,
});
