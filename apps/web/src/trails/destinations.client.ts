/** Where the trail is delivered to, as functions; nothing is decided here. */
import { callJson } from '../api/http.client.ts';
import { readList } from '../api/read-answers.ts';

export interface Destination {
  id: string;
  name: string;
  kind: 'syslog' | 'webhook' | 's3';
  url: string;
  format: string;
  every_seconds: number;
  region: string;
  certificates: string;
  paused: boolean;
  next_index: number;
  size: number;
  delivered_at: string;
  failing_since: string;
  problem: string;
  try_at: string;
}

export type DestinationDraft = Pick<
  Destination,
  'name' | 'kind' | 'url' | 'format' | 'every_seconds' | 'region' | 'certificates' | 'paused'
>;

const base = (workspace: string, id = ''): string =>
  `/${encodeURIComponent(workspace)}/audit/destinations${id === '' ? '' : `/${encodeURIComponent(id)}`}`;

export const readDestinations = async (workspace: string): Promise<Destination[]> =>
  readList<Destination>(await callJson<Record<string, unknown>>(base(workspace)), 'destinations');

/** @returns the signing secret where one was made: it is shown once. */
export async function putDestination(
  workspace: string,
  id: string,
  { name, kind, url, format, every_seconds, region, certificates, paused }: DestinationDraft,
  more: { secret?: Record<string, string>; from?: 'now' | 'beginning' } = {},
): Promise<string> {
  const answer = await callJson<{ signing_secret?: string }>(base(workspace, id), {
    method: id === '' ? 'POST' : 'PUT',
    body: { name, kind, url, format, every_seconds, region, certificates, paused, ...more },
  });
  return answer.signing_secret ?? '';
}

export const removeDestination = (workspace: string, id: string): Promise<unknown> =>
  callJson(base(workspace, id), { method: 'DELETE' });
