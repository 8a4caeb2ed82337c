/** A person's feed, notifications and preferences over HTTP; whose they are is the caller and nothing in the request. */
import { Controller, Inject } from '@nestjs/common';
import { type Caller, subjectOf } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import {
  GET_PREFERENCES,
  LIST_ACTIVITY,
  LIST_NOTIFICATIONS,
  MARK_READ,
  PUT_PREFERENCES,
} from './notification-routes.ts';
import type { Notifications } from './notifications.ts';

export const NOTIFICATIONS = Symbol('notifications');

@Controller()
export class NotificationsController {
  readonly #notifications: Notifications;
  constructor(@Inject(NOTIFICATIONS) notifications: Notifications) {
    this.#notifications = notifications;
  }

  @Serve(LIST_ACTIVITY)
  listActivity(@TheCaller() caller: Caller, @Checked() { query }: Input<typeof LIST_ACTIVITY>) {
    return this.#notifications.activities(subjectOf(caller), { limit: query.limit, cursor: query.cursor });
  }

  @Serve(LIST_NOTIFICATIONS)
  listNotifications(@TheCaller() caller: Caller, @Checked() { query }: Input<typeof LIST_NOTIFICATIONS>) {
    const { unread = false, limit, cursor } = query;
    return this.#notifications.list(subjectOf(caller), { limit, cursor }, unread);
  }

  @Serve(MARK_READ)
  async markRead(@TheCaller() caller: Caller, @Checked() { body }: Input<typeof MARK_READ>) {
    return { unread: await this.#notifications.markRead(subjectOf(caller), body.ids ?? [], body.all ?? false) };
  }

  @Serve(GET_PREFERENCES)
  getPreferences(@TheCaller() caller: Caller) {
    return this.#notifications.preferences(subjectOf(caller));
  }

  @Serve(PUT_PREFERENCES)
  putPreferences(@TheCaller() caller: Caller, @Checked() { body }: Input<typeof PUT_PREFERENCES>) {
    return this.#notifications.setPreferences(subjectOf(caller), body);
  }
}
