/** What Bravo was told, over HTTP. */
import { Controller, Inject } from '@nestjs/common';
import type { Caller } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import { COMPACT_CONVERSATION, GET_INSTRUCTIONS, type InstructionsView } from './instruction-routes.ts';
import type { ReadTold } from './read-told.ts';

export const READ_TOLD = Symbol('read-told');

@Controller()
export class InstructionsController {
  readonly #told: ReadTold;
  constructor(@Inject(READ_TOLD) told: ReadTold) {
    this.#told = told;
  }

  @Serve(GET_INSTRUCTIONS)
  getInstructions(
    @TheCaller() caller: Caller,
    @Checked() { params }: Input<typeof GET_INSTRUCTIONS>,
  ): Promise<InstructionsView> {
    return this.#told.read(caller, params['cid'] ?? '');
  }

  @Serve(COMPACT_CONVERSATION)
  async compactConversation(@TheCaller() caller: Caller, @Checked() { params }: Input<typeof COMPACT_CONVERSATION>) {
    return { turn_id: await this.#told.compact(caller, params['cid'] ?? '') };
  }
}
