/** Deliveries to an HTTPS address, signed as Standard Webhooks has it. Guarantees that only a whole answer of 2xx counts as taken and that no redirect is followed. */
import { createExchange, signWebhook, type WayOut } from '@bravo/chassis';
import type { Destination } from './destination.port.ts';
import type { DestinationSecret } from './read-destination.ts';
import { type HttpTiming, requireTaken } from './receiver-answer.ts';
import type { Receiver } from './receiver.port.ts';
import { receiverTerms } from './receiver-terms.ts';

export const createWebhookReceiver = (
  way: WayOut,
  destination: Destination,
  secret: DestinationSecret,
  timing: HttpTiming = {},
): Receiver => {
  const exchange = createExchange(way, { ...receiverTerms(destination, secret), ...timing });
  return {
    async deliver({ deliveryId, contentType, lines }, signal) {
      const body = lines.map(({ text }) => `${text}\n`).join('');
      const headers = signWebhook(secret.signing_secret ?? '', deliveryId, new Date(), body);
      const answer = await exchange.send(
        new URL(destination.url),
        { method: 'POST', headers: { 'content-type': contentType, ...headers }, body },
        signal,
      );
      requireTaken(answer);
    },
    close: () => exchange.close(),
  };
};
