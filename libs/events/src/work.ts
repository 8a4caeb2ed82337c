/** Work that makes a turn without a person's message: one row, one message, taken by one orchestrator, once. */
import { z } from 'zod';

export const WORK_TURN_SUBJECT = 'work.turn';

export const workItem = z.strictObject({
  work_id: z.string().min(1),
  workspace_id: z.string().min(1),
  conversation_id: z.string().min(1),
  user_id: z.string().min(1),
  reason: z.enum(['approval_decided']),
  /** The message the turn begins with, in the platform's words. */
  prompt: z.string().min(1).max(200_000),
});

export type WorkItem = z.output<typeof workItem>;
