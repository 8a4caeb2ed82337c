/** The person's conversations in one workspace, newest first, read a page at a time. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { listConversations } from '../api/bravo.client.ts';
import type { Conversation } from '../api/contract.ts';
import { problemText, toProblem } from '../api/problem.ts';

export interface ConversationList {
  conversations: Conversation[];
  loaded: boolean;
  problem: string;
  hasMore: boolean;
  refresh: () => Promise<void>;
  loadMore: () => Promise<void>;
}

export function useConversations(workspace: string): ConversationList {
  const [conversations, setConversations] = useState<Conversation[]>([]);
  const [loaded, setLoaded] = useState(false);
  const [problem, setProblem] = useState('');
  const [cursor, setCursor] = useState('');
  const present = useRef(workspace);

  const load = useCallback(
    async (from: string) => {
      try {
        const page = await listConversations(workspace, from);
        if (present.current !== workspace) return;
        setConversations((known) => merge(known, page.conversations));
        // A refresh of the first page says nothing about where the older ones, already shown, end.
        setCursor((kept) => (from === '' && kept !== '' ? kept : page.nextCursor));
        setProblem('');
      } catch (error) {
        if (present.current === workspace) setProblem(problemText(toProblem(error)));
      }
      setLoaded(true);
    },
    [workspace],
  );

  useEffect(() => {
    present.current = workspace;
    setConversations([]);
    setCursor('');
    setLoaded(false);
    if (workspace !== '') void load('');
  }, [workspace, load]);

  const refresh = useCallback(() => load(''), [load]);
  const loadMore = useCallback(() => (cursor === '' ? Promise.resolve() : load(cursor)), [load, cursor]);
  return { conversations, loaded, problem, hasMore: cursor !== '', refresh, loadMore };
}

function merge(known: Conversation[], fresh: Conversation[]): Conversation[] {
  const byId = new Map([...known, ...fresh].map((conversation) => [conversation.id, conversation]));
  // Ids are ULIDs, so their order is the order of creation.
  return [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
}
