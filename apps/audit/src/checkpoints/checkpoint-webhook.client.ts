/** Checkpoints to an address the operator configured, as the note itself. It needs no further proof of where it comes from: the note is signed. */
import { PLATFORM_WORKSPACE } from '@bravo/events';
import type { CheckpointSink, PostText } from './checkpoint-sink.port.ts';

/** POSTs `text/plain`; any 2xx counts as taken. */
export const createCheckpointWebhook = (url: string, post: PostText): CheckpointSink => ({
  name: `webhook:${new URL(url).host}${new URL(url).pathname}`.slice(0, 200),
  echoesIn: PLATFORM_WORKSPACE,
  async publish({ note }) {
    const { status } = await post(url, note);
    if (status < 200 || status >= 300) throw new Error(`the place for checkpoints answered ${status}`);
    return '';
  },
});
