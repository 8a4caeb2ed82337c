/** A conversation with turns as the orchestrator tells of them, and a clock of schedules that a spec can push. For specs only. */
import type { EndTurnRequest } from '@bravo/proto/broker';
import { waitUntil } from '@bravo/testing';
import type { Talk, TestBed } from '../broker.fixture.ts';
import { openClient } from '../raw-mcp-client.fixture.ts';

export interface TurnsOfTalk {
  /** @returns the platform's own answer. */
  begin(
    turnId: string,
    more?: { line?: string; command?: string; everySeconds?: number; origin?: string; workId?: string },
  ): Promise<string>;
  /** @returns whether the answer is asked for. */
  end(turnId: string, more?: Partial<EndTurnRequest>): Promise<boolean>;
  list(): Promise<
    readonly {
      id: string;
      kind: string;
      status: string;
      fires: number;
      quiet: number;
      endReason: string;
      dueAt?: Date | undefined;
    }[]
  >;
  cancel(id: string): Promise<void>;
  call(tool: string, given: object): Promise<{ text: string; isError: boolean }>;
  /** Whatever waits for a time is due now. */
  makeDue(): Promise<void>;
  /** Watches may look and fire at once. */
  forgetLooks(): Promise<void>;
  /** Work ids, oldest first, once there are so many. */
  untilWork(count: number): Promise<readonly Record<string, unknown>[]>;
  /** So many firings are on the trail. */
  untilFired(count: number): Promise<void>;
  untilEnded(reason: string): Promise<void>;
}

export const turnsOf = async (bed: TestBed, talk: Talk): Promise<TurnsOfTalk> => {
  const { conversationId } = talk;
  const [orchestrator, gateway] = await Promise.all([bed.as('orchestrator'), bed.as('gateway')]);
  const as = bed.person(talk);
  const list: TurnsOfTalk['list'] = async () => (await gateway.listSchedules({ conversationId }, as)).schedules;
  return {
    begin: async (turnId, more = {}) => {
      const turn = { line: 'look at it', command: '', everySeconds: 0, origin: 'person', workId: '', ...more };
      return (await orchestrator.beginTurn({ conversationId, turnId, ...turn }, as)).answer;
    },
    end: async (turnId, more = {}) => {
      const turn = { workId: '', status: 'completed', errorCode: '', answer: '', ...more };
      return (await orchestrator.endTurn({ conversationId, turnId, ...turn }, as)).needsAnswer;
    },
    list,
    cancel: async (scheduleId) => void (await gateway.cancelSchedule({ conversationId, scheduleId }, as)),
    call: async (tool, given) => (await openClient(bed, talk)).call(tool, given),
    makeDue: async () =>
      void (await bed.database.$executeRaw`
        UPDATE "broker"."schedule" SET "due_at" = now() - interval '1 hour' WHERE "conversation_id" = ${conversationId} AND "due_at" IS NOT NULL`),
    forgetLooks: async () =>
      void (await bed.database.$executeRaw`
        UPDATE "broker"."schedule" SET "looked_at" = now() - interval '1 hour', "fired_at" = NULL WHERE "conversation_id" = ${conversationId}`),
    untilWork: (count) =>
      waitUntil(`${count} work item(s)`, async () => {
        const work = await bed.work(talk);
        return work.length >= count && work;
      }),
    untilFired: async (count) =>
      void (await waitUntil(`${count} firing(s)`, async () => {
        const fired = (await bed.trail(talk)).filter(({ type }) => type === 'agent.schedule.fired');
        return fired.length >= count;
      })),
    untilEnded: async (reason) =>
      void (await waitUntil(`the end (${reason})`, async () =>
        (await list()).some(({ endReason }) => endReason === reason),
      )),
  };
};
