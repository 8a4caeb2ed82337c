/** The routes of models: what may be chosen, and what is. */
import { z } from 'zod';
import { defineRoute } from '../routes/route.ts';

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
const effort = z.enum(['', ...EFFORTS]).describe('Empty: no level is sent');

export const modelView = z.object({
  id: z.string(),
  label: z.string(),
  service: z.string(),
  service_label: z.string().describe('The heading it stands under'),
  context_tokens: z.int().nullable().describe('Null: nobody said'),
  output_tokens: z.int().nullable(),
  effort: z.enum(['read', 'unread', 'unknown']).describe('Whether a level of effort is read'),
  demo: z.boolean().describe('A planner that is no language model'),
});

export const modelList = z.object({
  models: z.array(modelView),
  automatic: z.string().describe('Where the automatic entry leads; it may always be chosen'),
  services: z.array(
    z.object({
      id: z.string(),
      label: z.string(),
      stale: z.boolean().describe('Its models are those of an earlier list'),
      problem: z.string().describe('Why its list cannot be had; empty where nothing is wrong'),
    }),
  ),
  notes: z.array(z.string()).describe('Settings that configure no service, and why'),
});
export type ModelList = z.output<typeof modelList>;

const choice = z.object({ model: z.string().describe('Empty: nobody chose'), effort });
export type Choice = z.output<typeof choice>;

export const choiceView = z.object({
  conversation: choice,
  person: choice,
  workspace: choice,
  effective: z.object({
    model: z.string(),
    label: z.string(),
    decided_by: z.enum(['conversation', 'person', 'workspace', 'settings', 'automatic']),
    effort,
    effort_sent: z.boolean().describe('False where the model is said to read no level'),
  }),
});
export type ChoiceView = z.output<typeof choiceView>;

const wanted = {
  model: z.string().max(300).optional().describe('Absent: as it is recorded; empty: nobody chose'),
  effort: effort.optional().describe('Absent: as it is recorded'),
};

const area = 'Models';
const root = '/api/v1/:ws/bravo';

export const LIST_MODELS = defineRoute({
  method: 'GET',
  path: `${root}/models`,
  summary: 'The models that may be chosen, grouped by the service that answers',
  area,
  access: 'bravo',
  query: z.strictObject({
    search: z.string().max(200).optional().describe('Words that all have to match the name or the service'),
  }),
  status: 200,
  answer: modelList,
});

export const GET_MODEL = defineRoute({
  method: 'GET',
  path: `${root}/model`,
  summary: 'What the person and the workspace chose, and what holds where a conversation has no choice of its own',
  area,
  access: 'bravo',
  status: 200,
  answer: choiceView,
});

export const PUT_MODEL = defineRoute({
  method: 'PUT',
  path: `${root}/model`,
  summary: "Chooses one's own model and effort, or the workspace's (admins)",
  area,
  access: 'bravo',
  body: z.strictObject({
    scope: z.enum(['person', 'workspace']).optional().describe('person where it is absent'),
    ...wanted,
  }),
  status: 200,
  answer: choiceView,
});

export const GET_CONVERSATION_MODEL = defineRoute({
  method: 'GET',
  path: `${root}/conversations/:cid/model`,
  summary: 'The model that answers in a conversation, and whose choice it is',
  area,
  access: 'bravo',
  status: 200,
  answer: choiceView,
});

export const PUT_CONVERSATION_MODEL = defineRoute({
  method: 'PUT',
  path: `${root}/conversations/:cid/model`,
  summary: 'Chooses the model and effort of a conversation, from the next answer on',
  area,
  access: 'bravo',
  body: z.strictObject(wanted),
  status: 200,
  answer: choiceView,
});
