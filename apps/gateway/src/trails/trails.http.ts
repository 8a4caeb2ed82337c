/** The log over HTTP: whoever may not read all of it reads a conversation of their own, and every member can have it verified. */
import { Controller, Inject } from '@nestjs/common';
import { type Caller, subjectOf } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import type { ReadTrail, Trail } from './read-trail.ts';
import { LIST_ENTRIES, VERIFY_LOG, type VerificationView } from './trail-routes.ts';

export const TRAIL = Symbol('trail');
export const READ_TRAIL = Symbol('read-trail');

@Controller()
export class TrailsController {
  readonly #read: ReadTrail;
  readonly #trail: Trail;
  constructor(@Inject(READ_TRAIL) read: ReadTrail, @Inject(TRAIL) trail: Trail) {
    this.#read = read;
    this.#trail = trail;
  }

  @Serve(LIST_ENTRIES)
  async listEntries(@TheCaller() caller: Caller, @Checked() { query }: Input<typeof LIST_ENTRIES>) {
    const { limit, cursor, conversation = '', actor = '', type = '', from, to, order = 'desc' } = query;
    const { entries, nextCursor } = await this.#read(
      caller,
      { limit, cursor },
      { conversationId: conversation, actor, type, from: dateOf(from), to: dateOf(to), order },
    );
    return { entries, next_cursor: nextCursor };
  }

  @Serve(VERIFY_LOG)
  verifyLog(@TheCaller() caller: Caller): Promise<VerificationView> {
    return this.#trail.verifyLog(subjectOf(caller));
  }
}

const dateOf = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text));
