/** Checkpoints to an address the operator configured, as the note itself. It needs no further proof of where it comes from: the note is signed. */
import type { CheckpointSink } from './checkpoint-sink.port.ts';

const TIMEOUT_MS = 10_000;

/** POSTs `text/plain`; any 2xx counts as taken, and no redirect is followed. */
export const createCheckpointWebhook = (url: string): CheckpointSink => ({
  name: `webhook:${new URL(url).host}${new URL(url).pathname}`.slice(0, 200),
  async publish({ note }) {
    const response = await fetch(url, {
      method: 'POST',
      body: note,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the place for checkpoints answered ${response.status}`);
    return '';
  },
});
