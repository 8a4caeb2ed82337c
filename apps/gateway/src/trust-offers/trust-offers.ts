/** Files a person may vouch for, as the gateway uses them. */
import type { CallSubject } from '../callers/caller.ts';
import type { TrustOfferView } from './trust-offer-routes.ts';

export const TRUST_OFFERS = Symbol('trust-offers');

export interface TrustOffers {
  see(subject: CallSubject, conversationId: string, number: number): Promise<TrustOfferView>;
  vouch(subject: CallSubject, conversationId: string, number: number, revision: string): Promise<void>;
}
