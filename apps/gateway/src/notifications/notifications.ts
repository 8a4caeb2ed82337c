/** A person's feed and notifications, as the edge needs them of automation. */
import type { z } from 'zod';
import type { CallSubject } from '../callers/caller.ts';
import type { Page } from '../conversations/orchestrator.ts';
import type { activityView, notificationView, preferencesBody } from './notification-routes.ts';

export type PreferencesBody = z.output<typeof preferencesBody>;

export interface Notifications {
  activities(
    subject: CallSubject,
    page: Page,
  ): Promise<{ activities: z.output<typeof activityView>[]; next_cursor: string }>;
  list(
    subject: CallSubject,
    page: Page,
    unreadOnly: boolean,
  ): Promise<{ notifications: z.output<typeof notificationView>[]; unread: number; next_cursor: string }>;
  markRead(subject: CallSubject, ids: string[], all: boolean): Promise<number>;
  preferences(subject: CallSubject): Promise<PreferencesBody & { email_offered: boolean; webhook_problem: string }>;
  setPreferences(
    subject: CallSubject,
    preferences: PreferencesBody,
  ): Promise<PreferencesBody & { webhook_secret: string }>;
}
