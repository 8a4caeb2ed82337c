/** One's own conversations; those of another person to admins only, and then only as a list. */
import { Fault } from '@bravo/faults';
import { type Caller, managesMembers } from '../access/caller.ts';
import type { Conversation } from './conversation.ts';
import type { ConversationStore } from './conversation-store.ts';
import { cutPage, readPage } from './page-cursor.ts';

const STANDARD = 20;
const KEY = /^cnv_[0-9a-z]{26}$/;

export const createListConversations =
  ({ conversations }: { readonly conversations: ConversationStore }) =>
  async (
    caller: Caller,
    userId: string,
    page: { readonly limit: number; readonly cursor: string } | undefined,
  ): Promise<{ readonly rows: readonly Conversation[]; readonly nextCursor: string }> => {
    const whose = userId === '' ? caller.userId : userId;
    if (whose !== caller.userId && !managesMembers(caller)) {
      throw new Fault('permission_denied', 'Only admins may list the conversations of other people.');
    }
    const wanted = readPage(page, STANDARD, KEY);
    const rows = await conversations.list({ workspaceId: caller.workspaceId, userId: whose }, wanted);
    return cutPage(rows, wanted.limit, ({ id }) => id);
  };
