/** The routes of where the trail is delivered to. */
import { z } from 'zod';
import { defineRoute } from '../routes/route.ts';
import { area } from './trail-routes.ts';

export const destinationBody = z.strictObject({
  name: z.string().trim().min(1).max(80),
  kind: z.enum(['syslog', 'webhook', 's3']),
  url: z
    .string()
    .min(1)
    .max(2_000)
    .describe(
      'tls://host:6514, https://host/path, or https://server/bucket/prefix; public, unless the operator listed it',
    ),
  format: z.enum(['jsonl', 'cloudevents', 'ocsf', 'cef']).default('jsonl'),
  every_seconds: z.int().min(1).max(86_400).default(10),
  region: z.string().max(40).default('').describe('Of s3'),
  certificates: z.string().max(65_536).default('').describe('Authorities that are trusted besides the usual ones, PEM'),
  paused: z.boolean().default(false),
  secret: z
    .record(z.string().max(64), z.string().max(65_536))
    .optional()
    .describe(
      'signing_secret of a webhook (one is made where there is none), access_key_id and secret_access_key of s3, certificate and key where the receiver asks who we are. Absent keeps what there is while the host stays the same; told again never',
    ),
  from: z
    .union([z.enum(['now', 'beginning']), z.int().min(0)])
    .optional()
    .describe('Where deliveries go on: absent where they are, and of a new destination from now'),
});
export type DestinationBody = z.output<typeof destinationBody>;

export const destinationView = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['syslog', 'webhook', 's3']),
  url: z.string(),
  format: z.string(),
  every_seconds: z.int(),
  region: z.string(),
  certificates: z.string(),
  paused: z.boolean(),
  created_by: z.string(),
  created_at: z.string(),
  next_index: z.int().describe('The first entry it does not have'),
  size: z.int().describe('Signed entries of the trail'),
  delivered_at: z.string().describe('Empty where nothing was yet'),
  failing_since: z.string().describe('Empty while it takes what it is sent'),
  problem: z.string(),
  failures: z.int(),
  try_at: z.string().describe('When it is tried again; empty while nothing is wrong'),
});
export type DestinationView = z.output<typeof destinationView>;

export const destinationPut = z.object({
  destination: destinationView,
  signing_secret: z.string().describe('Once, of a webhook whose secret was made here; else empty'),
});
export type DestinationPut = z.output<typeof destinationPut>;

const route = { area, access: 'member', needs: 'audit_read', status: 200 } as const;

export const LIST_DESTINATIONS = defineRoute({
  ...route,
  method: 'GET',
  path: '/api/v1/:ws/audit/destinations',
  summary: 'Where the trail is delivered to, how far each place has it, and what is wrong with it',
  answer: z.object({ destinations: z.array(destinationView) }),
});

export const ADD_DESTINATION = defineRoute({
  ...route,
  method: 'POST',
  path: '/api/v1/:ws/audit/destinations',
  summary: 'Begins to deliver the trail to a place, for whoever also manages members; it is an entry of the trail',
  body: destinationBody,
  status: 201,
  answer: destinationPut,
});

export const PUT_DESTINATION = defineRoute({
  ...route,
  method: 'PUT',
  path: '/api/v1/:ws/audit/destinations/:did',
  summary: 'Changes, pauses or moves a destination, which is then tried at once; it is an entry of the trail',
  body: destinationBody,
  answer: destinationPut,
});

export const REMOVE_DESTINATION = defineRoute({
  ...route,
  method: 'DELETE',
  path: '/api/v1/:ws/audit/destinations/:did',
  summary: 'Ends the deliveries to a place; it is an entry of the trail',
  status: 204,
});
