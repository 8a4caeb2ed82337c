/** The questions that the trail is asked again and again, and what it keeps, as functions; nothing is decided here. */
import type { AuditEntry } from '../api/contract.ts';
import { callJson } from '../api/http.client.ts';
import { readList, readTrail } from '../api/read-answers.ts';

export interface Seer {
  who: string;
  how: 'owner' | 'released' | 'opened';
  index: number;
}

export interface Question {
  question: string;
  conversation?: string;
  slot?: string;
  grant?: string;
  person?: string;
}

/** Oldest first. `next` is empty on the last page. */
export async function askTrail(
  workspace: string,
  question: Question,
  cursor: string,
): Promise<{ entries: AuditEntry[]; seers: Seer[]; next: string }> {
  const query = new URLSearchParams({ ...question, limit: '50', ...(cursor === '' ? {} : { cursor }) });
  const answer = await callJson<Record<string, unknown>>(`/${encodeURIComponent(workspace)}/audit/questions?${query}`);
  const next = answer['next_cursor'];
  return {
    entries: readTrail(answer),
    seers: readList<Seer>(answer, 'seers'),
    next: typeof next === 'string' ? next : '',
  };
}

export interface Retention {
  rows: string;
  content: string;
  own: boolean;
  first: number;
  holds: { id: string; scope: string; subject: string; reason: string; lifted_by: string }[];
}

export const readRetention = (workspace: string): Promise<Retention> =>
  callJson(`/${encodeURIComponent(workspace)}/audit/retention`);
