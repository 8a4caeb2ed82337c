/** Keeps the delegates of a conversation as the record has them; while one is at work it looks again, and what cannot be read changes nothing. */
import { useEffect, useState } from 'react';
import { listDelegates } from '../api/bravo.client.ts';
import type { Delegate } from '../api/contract.ts';

const SETTLE_MS = 300;
const AGAIN_MS = 3_000;

export const isAtWork = ({ state }: Pick<Delegate, 'state'>): boolean =>
  state === 'queued' || state === 'running' || state === 'waiting';

/** @param news grows whenever something happened that may have started or ended one. */
export function useDelegates(workspace: string, id: string, news: number): readonly Delegate[] {
  const [delegates, setDelegates] = useState<readonly Delegate[]>([]);
  const [looks, setLooks] = useState(0);

  useEffect(() => {
    let gone = false;
    let again: ReturnType<typeof setTimeout> | undefined;
    const later = () => (again = setTimeout(() => setLooks((count) => count + 1), AGAIN_MS));
    const timer = setTimeout(() => {
      listDelegates(workspace, id).then(
        (read) => {
          if (gone) return;
          setDelegates(read);
          if (read.some(isAtWork)) later();
        },
        () => undefined,
      );
    }, SETTLE_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
      clearTimeout(again);
    };
  }, [workspace, id, news, looks]);
  return delegates;
}
