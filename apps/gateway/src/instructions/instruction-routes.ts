/** The routes of what Bravo is told: instructions, how full its context is, and making it smaller. */
import { z } from 'zod';
import { defineRoute } from '../routes/route.ts';
import { instant } from '../routes/shapes.ts';

const part = z.object({
  source: z.string().describe('platform, person, settings.<layer> or AGENTS.md'),
  bytes: z.int(),
  digest: z.string().describe('SHA-256; empty where nothing may be told of it'),
  told: z.boolean().describe('Whether its words are among the text'),
  note: z.string().describe('Why it is not told; else empty'),
});

export const instructionsView = z.object({
  version: z.int().describe('0: no turn has begun yet'),
  digest: z.string().describe('SHA-256 of the text, as on the trail'),
  text: z.string().describe('What stands at the head of every request; the tools stand beside it'),
  since: instant.nullable(),
  parts: z.array(part),
  summary: z
    .object({
      text: z.string(),
      messages: z
        .int()
        .describe('Messages it stands for when a fresh agent is told what was said; the record has them'),
      left_out: z.int().describe('Of these, the ones it does not tell of'),
    })
    .nullable(),
  context: z.object({
    model: z.string(),
    label: z.string(),
    window_tokens: z.int().describe('Of prompt and answer together'),
    window_assumed: z.boolean().describe('Nobody stated the window'),
    budget_tokens: z.int().describe('What a prompt may have'),
    setting: z.string().describe('Where the window is stated, or would be'),
    last_tokens: z.int().describe('Of the last prompt; 0: there was none'),
    last_measured: z.boolean().describe('The provider counted them; else they are an estimate'),
  }),
});
export type InstructionsView = z.output<typeof instructionsView>;

const area = 'Conversations';
const root = '/api/v1/:ws/bravo/conversations/:cid';

export const GET_INSTRUCTIONS = defineRoute({
  method: 'GET',
  path: `${root}/instructions`,
  summary: 'What Bravo was told in a conversation: its instructions with their sources, and how full its context is',
  area,
  access: 'bravo',
  status: 200,
  answer: instructionsView,
});

export const COMPACT_CONVERSATION = defineRoute({
  method: 'POST',
  path: `${root}/compact`,
  summary: 'Has older turns told as a summary from now on, as the message "/compact" does; the record stays as it is',
  area,
  access: 'bravo',
  status: 202,
  answer: z.object({ turn_id: z.string().describe('Its answer says what became of it') }),
});
