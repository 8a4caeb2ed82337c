/** Sends what is due, one letter for all of it to a person. Guarantees at least once while they are a member; who left must never be written to. */
import type { Members } from '../members/members.port.ts';
import type { Channel } from './channel.port.ts';
import { type DueItem, writeLetter } from './write-letter.ts';

export interface DueGroup {
  readonly workspaceId: string;
  readonly userId: string;
  readonly items: readonly DueItem[];
  /** Of the item that was tried most. */
  readonly tries: number;
}

export type Verdict =
  | { readonly state: 'sent' }
  | { readonly state: 'dropped' | 'failed'; readonly problem: string }
  | { readonly state: 'pending'; readonly problem: string; readonly afterMs: number };

export interface Deliveries {
  /** Hands over what is due to one person by that channel, `most` at once, held so that nobody else sends it meanwhile, and keeps what became of it. @returns false when nothing is due. */
  takeDue(channel: 'email' | 'webhook', most: number, send: (group: DueGroup) => Promise<Verdict>): Promise<boolean>;
}

const MOST_ITEMS = 100;
/** Half a minute, then twice as long each time: together about a day. */
const FIRST_MS = 30_000;
const LONGEST_MS = 3 * 3_600_000;
const MOST_TRIES = 16;

export const createSendDue = (parts: {
  readonly deliveries: Deliveries;
  readonly members: Pick<Members, 'find'>;
  readonly channel: Channel;
  readonly publicUrl: string;
  readonly onSent: () => void;
}) => {
  const send = async ({ workspaceId, userId, items, tries }: DueGroup): Promise<Verdict> => {
    try {
      const member = await parts.members.find(workspaceId, userId);
      if (!member?.permissions.includes('view_content')) return { state: 'dropped', problem: 'no member any more' };
      if (!/^[^\s@,;<>"]+@[^\s@,;<>"]+$/.test(member.email)) return { state: 'failed', problem: 'no address' };
      const { email: to, workspaceSlug } = member;
      await parts.channel.send(writeLetter(items, { to, workspaceSlug, publicUrl: parts.publicUrl }));
      parts.onSent();
      return { state: 'sent' };
    } catch (error) {
      return verdictOf(error, tries);
    }
  };
  return async (): Promise<void> => {
    while (await parts.deliveries.takeDue('email', MOST_ITEMS, send));
  };
};

/** `firstMs`: the first pause, doubled with each further try. */
export const verdictOf = (error: unknown, tries: number, firstMs = FIRST_MS): Verdict => {
  const problem = (error instanceof Error ? error.message : String(error)).slice(0, 300);
  if (tries + 1 >= MOST_TRIES) return { state: 'failed', problem };
  return { state: 'pending', problem, afterMs: Math.min(firstMs * 2 ** tries, LONGEST_MS) };
};
