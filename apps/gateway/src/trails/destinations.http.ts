/** Where the trail is delivered to, over HTTP. Audit decides who may; nothing is decided here. */
import { Controller, Inject } from '@nestjs/common';
import { type Caller, subjectOf } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import { ADD_DESTINATION, LIST_DESTINATIONS, PUT_DESTINATION, REMOVE_DESTINATION } from './destination-routes.ts';
import type { Destinations } from './destinations.ts';

export const DESTINATIONS = Symbol('destinations');

@Controller()
export class DestinationsController {
  readonly #destinations: Destinations;
  constructor(@Inject(DESTINATIONS) destinations: Destinations) {
    this.#destinations = destinations;
  }

  @Serve(LIST_DESTINATIONS)
  async listDestinations(@TheCaller() caller: Caller) {
    return { destinations: await this.#destinations.list(subjectOf(caller)) };
  }

  @Serve(ADD_DESTINATION)
  addDestination(@TheCaller() caller: Caller, @Checked() { body }: Input<typeof ADD_DESTINATION>) {
    return this.#destinations.put(subjectOf(caller), '', body);
  }

  @Serve(PUT_DESTINATION)
  putDestination(@TheCaller() caller: Caller, @Checked() { params, body }: Input<typeof PUT_DESTINATION>) {
    return this.#destinations.put(subjectOf(caller), params['did'] ?? '', body);
  }

  @Serve(REMOVE_DESTINATION)
  async removeDestination(
    @TheCaller() caller: Caller,
    @Checked() { params }: Input<typeof REMOVE_DESTINATION>,
  ): Promise<void> {
    await this.#destinations.remove(subjectOf(caller), params['did'] ?? '');
  }
}
