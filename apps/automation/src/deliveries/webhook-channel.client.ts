/** Webhooks of people, through egress and signed as Standard Webhooks has it. Guarantees that only a whole answer of 2xx counts, and that nothing a server says is passed on. */
import { createExchange, EgressRefused, signWebhook, type WayOut } from '@bravo/chassis';
import type { CallChannel } from './channel.port.ts';

const CONNECT_MS = 5_000;
const TOTAL_MS = 10_000;

export const createWebhookChannel = (way: WayOut): CallChannel => ({
  async send({ id, url, secret, body, workspaceId, userId }) {
    const exchange = createExchange(way, {
      to: { purpose: 'delivery', reach: 'public', decisionId: id, workspaceId, conversationId: '', userId },
      connectMs: CONNECT_MS,
      totalMs: TOTAL_MS,
    });
    try {
      const headers = { 'content-type': 'application/json', ...signWebhook(secret, id, new Date(), body) };
      const { status } = await exchange.send(new URL(url), { method: 'POST', headers, body });
      if (status < 200 || status >= 300) throw new NotTaken(`It answered ${status}.`);
    } catch (cause) {
      if (cause instanceof EgressRefused || cause instanceof NotTaken) throw cause;
      throw new Error('It could not be spoken to, or did not answer.', { cause });
    } finally {
      exchange.close();
    }
  },
});

class NotTaken extends Error {}
