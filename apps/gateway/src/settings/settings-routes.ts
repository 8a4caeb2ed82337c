/** The routes of the stored settings layers and of their schema. */
import { SETTINGS_SCHEMA } from '@bravo/policy';
import { z } from 'zod';
import { defineRoute } from '../routes/route.ts';

export const settingsWarning = z.object({
  code: z
    .string()
    .describe('unreadable, shadowed, repeated, no_tool, no_server or waits of a rule; ignored or useless of a key'),
  key: z.string().describe('Dotted; an entry of a list with its place counted from 0'),
  rule: z.string().describe('As written; empty where it is about a key'),
  text: z.string(),
});

export const settingsWritten = z.object({
  warnings: z.array(settingsWarning).describe('What of the document changes nothing, and why; the rest is in force'),
});
export type SettingsWritten = z.output<typeof settingsWritten>;

export const settingsDocument = z.record(z.string(), z.json());
export type SettingsDocument = z.output<typeof settingsDocument>;

const area = 'Settings';
const path = '/api/v1/:ws/bravo/settings/:layer';

const ofConversation = z.strictObject({
  conversation: z.string().max(64).optional().describe('Which one, for the layer "conversation"'),
});

export const GET_SETTINGS = defineRoute({
  method: 'GET',
  path,
  summary: "A layer as it was written: platform (the operator), workspace (admins), user or conversation (one's own)",
  area,
  access: 'bravo',
  query: ofConversation,
  status: 200,
  answer: settingsDocument,
});

export const PUT_SETTINGS = defineRoute({
  method: 'PUT',
  path,
  summary:
    'Replaces a layer for future conversations, that of one conversation from the next call on; what cannot be read of it is named and the rest holds',
  area,
  access: 'bravo',
  query: ofConversation,
  headers: { 'If-Match': 'The ETag that was read; a newer one refuses the change' },
  document: SETTINGS_SCHEMA,
  status: 200,
  answer: settingsWritten,
});

export const GET_SETTINGS_SCHEMA = defineRoute({
  method: 'GET',
  path: '/api/v1/:ws/bravo/settings/schema',
  summary: 'JSON Schema (2020-12) of a settings document, for editors',
  area,
  access: 'bravo',
  status: 200,
  alsoAnswers: ['application/schema+json'],
});
