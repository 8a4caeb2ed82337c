/** The drawing of a question. Where the server has none (`none`), the arguments stand for it; until it is known nothing does. */
import { useEffect, useState } from 'react';
import { readPreview } from '../api/bravo.client.ts';
import type { Preview } from '../api/contract.ts';
import { useAnswering } from './use-answering.ts';

export function usePreview(callId: string): Preview | 'loading' | 'none' {
  const { workspace, id } = useAnswering();
  const [found, setFound] = useState<{ callId: string; preview: Preview | 'none' }>();
  useEffect(() => {
    let left = false;
    readPreview(workspace, id, callId).then(
      (preview) => left || setFound({ callId, preview }),
      () => left || setFound({ callId, preview: 'none' }),
    );
    return () => {
      left = true;
    };
  }, [workspace, id, callId]);
  return found?.callId === callId ? found.preview : 'loading';
}
