/** One letter of everything that is due to a person: our words, and where to go on. */
import { createHash } from 'node:crypto';
import type { Letter } from './channel.port.ts';

export interface DueItem {
  readonly notificationId: bigint;
  readonly text: string;
  readonly conversationId: string;
  /** Of the event it is about. */
  readonly eventId: string;
  readonly kind: string;
  readonly time: Date;
}

export const writeLetter = (
  items: readonly DueItem[],
  { to, workspaceSlug, publicUrl }: { readonly to: string; readonly workspaceSlug: string; readonly publicUrl: string },
): Letter => {
  const lines = items.map((item) => `${item.text}\n${linkOf(item, publicUrl, workspaceSlug)}`);
  const ids = items.map(({ notificationId }) => String(notificationId)).join(',');
  return {
    id: createHash('sha256').update(ids).digest('hex').slice(0, 32),
    to,
    subject: items.length === 1 ? (items[0] as DueItem).text : `${items.length} things from @bravo`,
    text: `${lines.join('\n\n')}\n\nWhat is sent to you, and when, is set in Bravo under the bell.\n`,
  };
};

/** Where it goes on, on the page. */
export const linkOf = ({ conversationId }: DueItem, publicUrl: string, workspaceSlug: string): string =>
  `${publicUrl.replace(/\/$/, '')}/${[workspaceSlug, conversationId]
    .filter((part) => part !== '')
    .map(encodeURIComponent)
    .join('/')}`;
