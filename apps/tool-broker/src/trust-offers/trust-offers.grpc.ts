/** GetTrustOffer and VouchForFile on the wire, in the name of the conversation's person and of nobody else. */
import type { Handlers } from '@bravo/chassis';
import type { BrokerServiceService } from '@bravo/proto/broker';
import { personOf } from '../access/person.ts';
import type { TrustOffer } from './trust-offer.ts';

export const trustOfferHandlers = (
  trustOffer: TrustOffer,
): Pick<Handlers<typeof BrokerServiceService>, 'getTrustOffer' | 'vouchForFile'> => ({
  getTrustOffer: async ({ conversationId, number }, { principal }) => {
    const { preview, ...offered } = await trustOffer.offer(personOf(principal), conversationId, number);
    return { ...offered, previewJson: JSON.stringify(preview) };
  },
  vouchForFile: async ({ conversationId, number, revision }, { principal }) => {
    await trustOffer.vouch(personOf(principal), conversationId, number, revision);
    return {};
  },
});
