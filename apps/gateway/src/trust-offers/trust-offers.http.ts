/** Vouching for a file over HTTP, for the conversation's own person. */
import { Controller, Inject } from '@nestjs/common';
import { Fault } from '@bravo/faults';
import { type Caller, subjectOf } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import { type TrustOffers, TRUST_OFFERS } from './trust-offers.ts';
import { GET_TRUST_OFFER, type TrustOfferView, VOUCH } from './trust-offer-routes.ts';

@Controller()
export class TrustOffersController {
  readonly #offers: TrustOffers;
  constructor(@Inject(TRUST_OFFERS) offers: TrustOffers) {
    this.#offers = offers;
  }

  @Serve(GET_TRUST_OFFER)
  getTrustOffer(
    @TheCaller() caller: Caller,
    @Checked() { params }: Input<typeof GET_TRUST_OFFER>,
  ): Promise<TrustOfferView> {
    return this.#offers.see(subjectOf(caller), params['cid'] ?? '', numberOf(params));
  }

  @Serve(VOUCH)
  async vouch(@TheCaller() caller: Caller, @Checked() { params, body }: Input<typeof VOUCH>): Promise<void> {
    await this.#offers.vouch(subjectOf(caller), params['cid'] ?? '', numberOf(params), body.revision);
  }
}

const numberOf = ({ n = '' }: Readonly<Record<string, string>>): number => {
  if (!/^[1-9]\d{0,8}$/.test(n)) throw new Fault('not_found', 'There is no such reference in this conversation.');
  return Number(n);
};
