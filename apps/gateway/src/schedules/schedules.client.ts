/** Loops, goals and watches at the tool-broker. */
import { textOfInstant } from '../routes/shapes.ts';
import type { BrokerClient } from '../tool-calls/tool-broker.client.ts';
import type { Schedules } from './schedules.ts';

export const createSchedules = (client: BrokerClient): Schedules => ({
  list: async (subject, conversationId) =>
    (await client.listSchedules({ conversationId }, { subject })).schedules.map((schedule) => ({
      id: schedule.id,
      conversation_id: schedule.conversationId,
      kind: schedule.kind,
      status: schedule.status,
      line: schedule.line,
      every_seconds: schedule.everySeconds,
      path: schedule.path,
      fires: schedule.fires,
      quiet: schedule.quiet,
      due_at: schedule.dueAt ? textOfInstant(schedule.dueAt) : null,
      expires_at: textOfInstant(schedule.expiresAt),
      created_at: textOfInstant(schedule.createdAt),
      ended_at: schedule.endedAt ? textOfInstant(schedule.endedAt) : null,
      end_reason: schedule.endReason,
      end_text: schedule.endText,
    })),
  cancel: async (subject, conversationId, scheduleId) => {
    await client.cancelSchedule({ conversationId, scheduleId }, { subject });
  },
});
