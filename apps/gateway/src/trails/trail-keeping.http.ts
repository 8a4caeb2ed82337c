/** What the trail keeps, what it is asked and what it could not take, over HTTP. Audit decides who may; nothing is decided here. */
import { Controller, Inject } from '@nestjs/common';
import { Fault } from '@bravo/faults';
import { type Caller, subjectOf } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import {
  ASK_TRAIL,
  GET_RETENTION,
  LIFT_HOLD,
  LIST_REJECTIONS,
  PLACE_HOLD,
  PUT_RETENTION,
  RETRY_REJECTION,
} from './trail-keeping-routes.ts';
import type { TrailKeeping } from './trail-keeping.ts';

export const TRAIL_KEEPING = Symbol('trail-keeping');

@Controller()
export class TrailKeepingController {
  readonly #trail: TrailKeeping;
  constructor(@Inject(TRAIL_KEEPING) trail: TrailKeeping) {
    this.#trail = trail;
  }

  @Serve(GET_RETENTION)
  getRetention(@TheCaller() caller: Caller) {
    return this.#trail.retention(subjectOf(caller));
  }

  @Serve(PUT_RETENTION)
  putRetention(@TheCaller() caller: Caller, @Checked() { body }: Input<typeof PUT_RETENTION>) {
    return this.#trail.putRetention(subjectOf(caller), body);
  }

  @Serve(PLACE_HOLD)
  placeHold(@TheCaller() caller: Caller, @Checked() { body }: Input<typeof PLACE_HOLD>) {
    const { reason, person = '', conversation = '' } = body;
    if (person !== '' && conversation !== '')
      throw new Fault('invalid_argument', 'A hold is over one person or one conversation, not both: place two.', {
        meta: { field: 'conversation' },
      });
    const scope = person !== '' ? 'person' : conversation !== '' ? 'conversation' : 'workspace';
    return this.#trail.placeHold(subjectOf(caller), { scope, subject: person || conversation, reason });
  }

  @Serve(LIFT_HOLD)
  liftHold(@TheCaller() caller: Caller, @Checked() { params, body }: Input<typeof LIFT_HOLD>) {
    return this.#trail.liftHold(subjectOf(caller), params['hid'] ?? '', body.reason);
  }

  @Serve(ASK_TRAIL)
  async askTrail(@TheCaller() caller: Caller, @Checked() { query }: Input<typeof ASK_TRAIL>) {
    const { limit, cursor, question, conversation = '', slot = 0, grant = '', person = '' } = query;
    const subject = question === 'grant' ? grant : question === 'approvals' ? person : '';
    const asked = { question, conversationId: conversation, slot, subject };
    const { entries, seers, nextCursor } = await this.#trail.ask(subjectOf(caller), { limit, cursor }, asked);
    return { entries, seers, next_cursor: nextCursor };
  }

  @Serve(LIST_REJECTIONS)
  async listRejections(@TheCaller() caller: Caller) {
    return { rejections: await this.#trail.rejections(subjectOf(caller)) };
  }

  @Serve(RETRY_REJECTION)
  async retryRejection(@TheCaller() caller: Caller, @Checked() { params }: Input<typeof RETRY_REJECTION>) {
    const id = /^[1-9]\d{0,14}$/.test(params['rid'] ?? '') ? Number(params['rid']) : 0;
    return { outcome: await this.#trail.retryRejection(subjectOf(caller), id) };
  }
}
