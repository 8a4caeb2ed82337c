/** The route that says what settings are in force for a person, and what is wrong with them: names and places, never a value. */
import { z } from 'zod';
import { defineRoute } from '../routes/route.ts';

const inForce = z.object({
  key: z.string().describe('Dotted'),
  layer: z.string(),
  overridden: z.array(z.string()).describe('Layers that said otherwise, weakest first'),
});

export const diagnosisView = z.object({
  ok: z.boolean().describe('False where something somebody wrote is not in force'),
  layers: z.array(
    z.object({
      layer: z.string(),
      version: z.int().describe('0: nobody has written it'),
      bytes: z.int(),
      state: z.string().describe('in_force, empty, or unreadable with the reason among the findings'),
      held: z.string().describe('What changes of it hold from: next_conversation, next_call or first_seen'),
    }),
  ),
  settings: z.array(inForce),
  variables: z.array(inForce).describe('Names under env that are set'),
  providers: z.array(
    z.object({
      id: z.string(),
      layer: z.string(),
      host: z.string(),
      credential: z.string().describe('secret, operator, document, none or missing'),
      names: z.array(z.string()).describe('Names looked for, in order'),
      models: z.int(),
    }),
  ),
  rules: z.array(z.object({ list: z.string(), layer: z.string(), count: z.int() })),
  lists: z
    .array(z.object({ key: z.string(), layer: z.string(), count: z.int() }))
    .describe('Lists of names and places, to which every layer adds'),
  findings: z.array(
    z.object({
      severity: z.string().describe('error or warning'),
      code: z.string(),
      layer: z.string(),
      key: z.string(),
      rule: z.string().describe('As written; empty where it is about no rule'),
      line: z.int().describe('Of the document, from 1; 0 where none can be told'),
      text: z.string(),
    }),
  ),
});
export type DiagnosisView = z.output<typeof diagnosisView>;

export const DOCTOR = defineRoute({
  method: 'GET',
  path: '/api/v1/:ws/bravo/doctor',
  summary: 'What settings are in force, from which layer, and what is wrong with them; never a value',
  area: 'Settings',
  access: 'bravo',
  query: z.strictObject({
    conversation: z.string().max(64).optional().describe('With its own layer and the settings among its files'),
  }),
  status: 200,
  answer: diagnosisView,
});
