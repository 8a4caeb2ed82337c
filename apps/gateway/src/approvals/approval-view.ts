/** A question and its answer as the API shows them. */
import { z } from 'zod';
import { instant } from '../routes/shapes.ts';

export const askView = z.object({ code: z.string(), text: z.string() });

export const approvalView = z.object({
  id: z.string(),
  tool_call_id: z.string(),
  conversation_id: z.string(),
  tool: z.string(),
  input: z.json(),
  why: z.string(),
  status: z
    .string()
    .describe('pending, approved, denied, expired, superseded, executing, done, failed or outcome_unknown'),
  asks: z.array(askView).describe('Why a person must decide'),
  trust_output_offered: z.boolean().describe('Whether the output may be let through to @bravo'),
  grant_scope: z
    .record(z.string(), z.json())
    .nullable()
    .describe('What a grant given with the yes would cover; null where none is offered'),
  remember_rule: z
    .string()
    .describe('The rule that would let exactly this line through from now on; empty where none is offered'),
  delegate: z
    .object({
      name: z.string(),
      kind: z.string(),
      task: z.string().describe('What it was told to do'),
      root_conversation_id: z.string(),
    })
    .nullable()
    .describe('The delegate that asks; null where the conversation itself does'),
  call_digest: z.string().describe('SHA-256 over the exact call that is decided'),
  created_at: instant,
  expires_at: instant,
  decided_by: z.string(),
  decided_at: z.string(),
});

const shownText = {
  text: z.string().describe('Safe to print: what cannot be seen, or poses as another letter, is a symbol'),
  marks: z
    .array(z.tuple([z.int(), z.int(), z.string()]))
    .optional()
    .describe('Place and length (UTF-16) of each symbol, and what stands there'),
};

/** The call as the person is shown it; every front end draws these rows and nothing else. */
export const previewView = z.object({
  version: z.int().describe('Of the drawing: an answer to another version answers nothing'),
  rows: z.array(
    z.object({
      kind: z.enum(['heading', 'value', 'hunk', 'note', 'warning', 'more', 'same', 'added', 'removed', 'line']),
      name: z.string().optional().describe('Of a value'),
      before: z.int().optional().describe('Number of the line in the file as it is'),
      after: z.int().optional().describe('Number of the line in the file as it would be'),
      ...shownText,
    }),
  ),
  added: z.int(),
  removed: z.int(),
  symbols: z.int().describe('Characters drawn as symbols'),
  questions: z
    .array(
      z.object({
        number: z.int(),
        header: z.object(shownText),
        question: z.object(shownText),
        options: z.array(z.object(shownText)),
        multiple: z.boolean(),
      }),
    )
    .optional()
    .describe('Of a call that only asks: what is to be answered, the same as in the rows'),
});
export type PreviewView = z.output<typeof previewView>;

export type ApprovalView = z.output<typeof approvalView>;
