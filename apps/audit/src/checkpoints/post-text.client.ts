/** Texts to the operator's places outside, through egress; told in the log of the platform, whose places they are. */
import { createExchange, type WayOut } from '@bravo/chassis';
import { PLATFORM_WORKSPACE } from '@bravo/events';
import type { PostText } from './checkpoint-sink.port.ts';

const CONNECT_MS = 10_000;
const TOTAL_MS = 10_000;

/** One connection, kept, to one place. */
export const createPostText = (way: WayOut): PostText => {
  const exchange = createExchange(way, {
    to: {
      ...{ purpose: 'delivery', reach: 'public', decisionId: 'checkpoints', workspaceId: PLATFORM_WORKSPACE },
      ...{ conversationId: '', userId: '' },
    },
    connectMs: CONNECT_MS,
    totalMs: TOTAL_MS,
  });
  return async (url, text) => {
    const headers = { 'content-type': 'text/plain; charset=utf-8' };
    const { status, body } = await exchange.send(new URL(url), { method: 'POST', headers, body: text });
    return { status, text: Buffer.from(body).toString('utf8') };
  };
};
