/** The thread that looks for credentials: one text in, places out. It logs nothing and keeps nothing. */
import { parentPort } from 'node:worker_threads';
import { findCredentials } from './find-credentials.ts';

parentPort?.on('message', ({ id, text }: { readonly id: number; readonly text: string }) => {
  void findCredentials(text).then(
    (found) => parentPort?.postMessage({ id, found }),
    // Without a word of the error: it could hold what was found.
    () => parentPort?.postMessage({ id, found: undefined }),
  );
});
