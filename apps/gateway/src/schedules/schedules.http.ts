/** Loops, goals and watches over HTTP, for the conversation's own person. */
import { Controller, Inject } from '@nestjs/common';
import { type Caller, subjectOf } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import { ORCHESTRATOR } from '../conversations/conversations.http.ts';
import type { Orchestrator } from '../conversations/orchestrator.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import { CANCEL_SCHEDULE, LIST_SCHEDULES, START_SCHEDULE } from './schedule-routes.ts';
import { lineOf, type Schedules, SCHEDULES } from './schedules.ts';

@Controller()
export class SchedulesController {
  readonly #schedules: Schedules;
  readonly #orchestrator: Orchestrator;
  constructor(@Inject(SCHEDULES) schedules: Schedules, @Inject(ORCHESTRATOR) orchestrator: Orchestrator) {
    this.#schedules = schedules;
    this.#orchestrator = orchestrator;
  }

  @Serve(LIST_SCHEDULES)
  async listSchedules(@TheCaller() caller: Caller, @Checked() { params }: Input<typeof LIST_SCHEDULES>) {
    return { schedules: await this.#schedules.list(subjectOf(caller), params['cid'] ?? '') };
  }

  @Serve(START_SCHEDULE)
  async startSchedule(@TheCaller() caller: Caller, @Checked() { params, body }: Input<typeof START_SCHEDULE>) {
    const { kind, line, every_seconds: every } = body;
    const content = lineOf(kind, line, kind === 'loop' ? every : undefined);
    const begun = await this.#orchestrator.runTurn(subjectOf(caller), {
      ...{ conversationId: params['cid'] ?? '', content, idempotencyKey: '', context: '' },
    });
    return { turn_id: begun.turnId };
  }

  @Serve(CANCEL_SCHEDULE)
  cancelSchedule(@TheCaller() caller: Caller, @Checked() { params }: Input<typeof CANCEL_SCHEDULE>): Promise<void> {
    return this.#schedules.cancel(subjectOf(caller), params['cid'] ?? '', params['sid'] ?? '');
  }
}
