/** Shapes that several areas answer or accept with. */
import { z } from 'zod';

export const MODES = ['ask', 'coworker', 'voice'] as const;
export const mode = z.enum(MODES);

export const instant = z.iso.datetime().describe('RFC 3339, UTC');

/** `limit` of a page; 0 is refused rather than read as "all". */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(200).optional().describe('Rows of the page'),
  cursor: z.string().max(500).optional().describe('next_cursor of the page before'),
};

export const nextCursor = z.string().describe('Empty when there is no further page');

export const label = z.object({
  integrity: z.enum(['trusted', 'untrusted']),
  confidentiality: z.enum(['public', 'private']),
});

export const person = z.object({ id: z.string(), name: z.string(), display_name: z.string(), email: z.string() });

export const membership = z.object({
  workspace_id: z.string(),
  workspace_slug: z.string(),
  workspace_name: z.string(),
  role: z.string(),
  permissions: z.array(z.string()).readonly(),
});

/** RFC 3339 of a moment that the contract may leave out. */
export const textOfInstant = (date: Date | undefined): string => date?.toISOString() ?? '';
