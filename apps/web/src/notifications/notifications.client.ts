/** A person's notifications as functions; nothing is decided here. */
import { callJson } from '../api/http.client.ts';
import { readList } from '../api/read-answers.ts';

export interface Notification {
  id: string;
  kind: string;
  text: string;
  conversation_id: string;
  time: string;
  read: boolean;
}

export interface Preferences {
  email: string[];
  digest: string;
  quiet_from: string;
  quiet_to: string;
  time_zone: string;
  webhook: string;
  webhook_kinds: string[];
}

const at = (workspace: string): string => `/${encodeURIComponent(workspace)}/notifications`;

export async function listNotifications(workspace: string): Promise<{ notifications: Notification[]; unread: number }> {
  const answer = await callJson<Record<string, unknown>>(`${at(workspace)}?limit=20`);
  const unread = answer['unread'];
  return {
    notifications: readList<Notification>(answer, 'notifications'),
    unread: typeof unread === 'number' ? unread : 0,
  };
}

export async function markAllRead(workspace: string): Promise<void> {
  await callJson(`${at(workspace)}/read`, { method: 'POST', body: { all: true } });
}

export const readPreferences = (
  workspace: string,
): Promise<Preferences & { email_offered: boolean; webhook_problem: string }> =>
  callJson(`${at(workspace)}/preferences`);

/** `webhook_secret`: what the webhook is signed with, where its host is new. */
export const savePreferences = (
  workspace: string,
  preferences: Preferences,
): Promise<Preferences & { webhook_secret: string }> =>
  callJson(`${at(workspace)}/preferences`, { method: 'PUT', body: preferences });
