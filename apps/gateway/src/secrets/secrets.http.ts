/** Sealed secrets over HTTP. */
import { Controller, Inject } from '@nestjs/common';
import type { Caller } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import { LIST_SECRETS, PUT_SECRET, type SecretNames } from './secret-routes.ts';
import type { Secrets } from './secrets.ts';

export const SECRETS = Symbol('secrets');

@Controller()
export class SecretsController {
  readonly #secrets: Secrets;
  constructor(@Inject(SECRETS) secrets: Secrets) {
    this.#secrets = secrets;
  }

  @Serve(LIST_SECRETS)
  async listSecrets(@TheCaller() caller: Caller): Promise<SecretNames> {
    return { names: [...(await this.#secrets.list(caller))] };
  }

  @Serve(PUT_SECRET)
  async putSecret(@TheCaller() caller: Caller, @Checked() { params, body }: Input<typeof PUT_SECRET>): Promise<void> {
    await this.#secrets.put(caller, params['name'] ?? '', body.value);
  }
}
