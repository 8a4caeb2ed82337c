/** Work that makes a turn without a person's message: one row, one message, taken by one orchestrator, once. */
import { z } from 'zod';

export const WORK_TURN_SUBJECT = 'work.turn';

/** Longest prompt, in UTF-8: half of what a pod is told at once, so that a fresh pod is told a transcript beside it. */
export const MAX_PROMPT_BYTES = 32 * 1024;

export const workItem = z.strictObject({
  work_id: z.string().min(1),
  workspace_id: z.string().min(1),
  conversation_id: z.string().min(1),
  user_id: z.string().min(1),
  reason: z.enum(['approval_decided', 'job_ended', 'schedule_due', 'delegate_reported']),
  /** W3C trace context of what led to it, put in by the outbox. */
  traceparent: z.string().optional(),
  /** The message the turn begins with: the platform's words, or the person's own line that is asked again. */
  prompt: z
    .string()
    .min(1)
    .refine((prompt) => Buffer.byteLength(prompt) <= MAX_PROMPT_BYTES, `Must be at most ${MAX_PROMPT_BYTES} bytes`),
});

export type WorkItem = z.output<typeof workItem>;
