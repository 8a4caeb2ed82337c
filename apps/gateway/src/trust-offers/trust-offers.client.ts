/** Files a person may vouch for, at the tool-broker. */
import type { BrokerClient } from '../tool-calls/tool-broker.client.ts';
import type { TrustOfferView } from './trust-offer-routes.ts';
import type { TrustOffers } from './trust-offers.ts';

/** A check reads the file first, and the person waits for it. */
const LOOK_MS = 40_000;

export const createTrustOffers = (client: BrokerClient): TrustOffers => ({
  see: async (subject, conversationId, number) => {
    const request = { conversationId, number };
    const { previewJson, ...offered } = await client.getTrustOffer(request, { subject, timeoutMs: LOOK_MS });
    return { ...offered, preview: JSON.parse(previewJson) as TrustOfferView['preview'] };
  },
  vouch: async (subject, conversationId, number, revision) => {
    await client.vouchForFile({ conversationId, number, revision }, { subject });
  },
});
