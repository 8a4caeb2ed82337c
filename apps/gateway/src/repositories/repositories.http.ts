/** A conversation's settings file over HTTP, for its own person. */
import { Controller, Inject } from '@nestjs/common';
import { type Caller, subjectOf } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import { type Repositories, REPOSITORIES } from './repositories.ts';
import { ACCEPT_REPOSITORY_RULES, GET_REPOSITORY_SETTINGS, type RepositoryView } from './repository-routes.ts';

@Controller()
export class RepositoriesController {
  readonly #repositories: Repositories;
  constructor(@Inject(REPOSITORIES) repositories: Repositories) {
    this.#repositories = repositories;
  }

  @Serve(GET_REPOSITORY_SETTINGS)
  async getRepositorySettings(
    @TheCaller() caller: Caller,
    @Checked() { params }: Input<typeof GET_REPOSITORY_SETTINGS>,
  ): Promise<RepositoryView> {
    const { text: _, ...view } = await this.#repositories.see(subjectOf(caller), params['cid'] ?? '');
    return view;
  }

  @Serve(ACCEPT_REPOSITORY_RULES)
  acceptRepositoryRules(
    @TheCaller() caller: Caller,
    @Checked() { params, body }: Input<typeof ACCEPT_REPOSITORY_RULES>,
  ): Promise<RepositoryView> {
    return this.#repositories.accept(subjectOf(caller), params['cid'] ?? '', body.rules);
  }
}
