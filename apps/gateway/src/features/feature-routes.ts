/** The operator's routes of feature overrides. */
import { z } from 'zod';
import { defineRoute } from '../routes/route.ts';
import { instant } from '../routes/shapes.ts';

export const overrideView = z.object({
  feature: z.string(),
  enabled: z.boolean(),
  reason: z.string(),
  created_by: z.string(),
  created_at: instant,
  expires_at: z.string().describe('Empty: until it is replaced'),
});
export type OverrideView = z.output<typeof overrideView>;

const area = 'Administration';
const path = '/api/v1/admin/workspaces/:ws/feature-overrides';

export const LIST_OVERRIDES = defineRoute({
  method: 'GET',
  path,
  summary: "A workspace's feature overrides",
  area,
  access: 'operator',
  status: 200,
  answer: z.object({ overrides: z.array(overrideView) }),
});

export const SET_OVERRIDE = defineRoute({
  method: 'PUT',
  path,
  summary: 'Switches a feature for one workspace',
  area,
  access: 'operator',
  body: z.strictObject({
    feature: z.string().min(1).max(100),
    enabled: z.boolean(),
    reason: z.string().min(1).max(500),
    expires_at: z.iso.datetime({ offset: true }).optional(),
  }),
  status: 200,
  answer: overrideView,
});
