/** The routes of the settings file that lies among a conversation's files. */
import { z } from 'zod';
import { defineRoute } from '../routes/route.ts';

const area = 'Settings';
const path = '/api/v1/:ws/bravo/conversations/:cid/settings/repository';

export const repositoryView = z.object({
  found: z.boolean(),
  document: z.record(z.string(), z.json()).nullable().describe('As it was first seen; null where none was found'),
  trusted: z.boolean().describe('Whether the file is vouched for; of another one a rule is named by its place'),
  accepted: z.array(z.string()),
  proposals: z.array(z.string()).describe('Allow rules that wait for you'),
  refused_because: z.string().describe('Why a file that is there changes nothing; else empty'),
});
export type RepositoryView = z.output<typeof repositoryView>;

export const GET_REPOSITORY_SETTINGS = defineRoute({
  method: 'GET',
  path,
  summary: 'The file .bravo/settings.json among the files, and what of it waits for the person',
  area,
  access: 'bravo',
  status: 200,
  answer: repositoryView,
});

export const ACCEPT_REPOSITORY_RULES = defineRoute({
  method: 'POST',
  path: `${path}/accept`,
  summary: 'Lets allow rules of that file hold in this conversation, each exactly as it is written',
  area,
  access: 'bravo',
  needs: 'approvals:decide',
  body: z.strictObject({ rules: z.array(z.string().min(1).max(4096)).min(1).max(1000) }),
  status: 200,
  answer: repositoryView,
});
