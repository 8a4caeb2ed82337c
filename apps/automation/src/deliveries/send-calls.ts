/** Sends what is due to webhooks, one call for each notification. Guarantees at least once under the id of its event, only to who is still a member and still wants it, and nothing but our own words. */
import type { Members } from '../members/members.port.ts';
import type { Preferences } from '../preferences/preferences.ts';
import type { CallChannel } from './channel.port.ts';
import { type Deliveries, type DueGroup, type Verdict, verdictOf } from './send-due.ts';
import type { SecretOf } from './webhook-secret.ts';
import { linkOf } from './write-letter.ts';

/** A server that restarts is back sooner than one that takes mail. */
const FIRST_MS = 5_000;

export interface Webhooks {
  /** Of that person now; undefined where there is none. */
  find(owner: {
    workspaceId: string;
    userId: string;
  }): Promise<{ readonly url: Preferences['webhook']; readonly salt: string } | undefined>;
}

export const createSendCalls = (parts: {
  readonly deliveries: Deliveries;
  readonly members: Pick<Members, 'find'>;
  readonly webhooks: Webhooks;
  readonly channel: CallChannel;
  readonly secretOf: SecretOf;
  readonly publicUrl: string;
  readonly onSent: () => void;
}) => {
  const send = async ({ workspaceId, userId, items, tries }: DueGroup): Promise<Verdict> => {
    try {
      const [item] = items;
      const member = await parts.members.find(workspaceId, userId);
      if (!item || !member?.permissions.includes('view_content'))
        return { state: 'dropped', problem: 'no member any more' };
      const webhook = await parts.webhooks.find({ workspaceId, userId });
      if (!webhook) return { state: 'dropped', problem: 'no webhook any more' };
      const { eventId, kind, text, time, conversationId } = item;
      const body = JSON.stringify({
        type: 'bravo.notification',
        timestamp: time.toISOString(),
        data: {
          ...{ event_id: eventId, kind, text, workspace: member.workspaceSlug },
          ...(conversationId === '' ? {} : { conversation_id: conversationId }),
          link: linkOf(item, parts.publicUrl, member.workspaceSlug),
        },
      });
      const secret = parts.secretOf({ workspaceId, userId }, webhook.salt);
      await parts.channel.send({ id: `${eventId}_${kind}`, url: webhook.url, secret, body, workspaceId, userId });
      parts.onSent();
      return { state: 'sent' };
    } catch (error) {
      return verdictOf(error, tries, FIRST_MS);
    }
  };
  return async (): Promise<void> => {
    while (await parts.deliveries.takeDue('webhook', 1, send));
  };
};
