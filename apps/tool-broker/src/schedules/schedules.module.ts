/** Everything about loops, goals and watches, wired over what the broker has. */
import { type GrpcClient, type Handlers, type Logger, newId } from '@bravo/chassis';
import type { Outbox } from '@bravo/events';
import type { BrokerServiceService } from '@bravo/proto/broker';
import type { ModelsServiceService } from '@bravo/proto/models';
import type { Identity } from '../access/agent.ts';
import type { ConversationStore } from '../conversations/conversation.ts';
import type { BrokerDatabase } from '../databases/broker-database.prisma.ts';
import type { IsolatedModels } from '../processors/isolated-models.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SweepSteps } from '../sweeps/start-sweep.ts';
import { createBudgetGone } from './allowance.client.ts';
import { createCheckStanding } from './check-standing.ts';
import { createEndTurn } from './end-turn.ts';
import type { RunSchedulesParts } from './run-schedules.ts';
import { createScheduleSteps } from './run-schedules.ts';
import type { ScheduleStore } from './schedule.ts';
import { createScheduleStore } from './schedule-store.prisma.ts';
import { scheduleHandlers } from './schedules.grpc.ts';

export const openSchedules = (database: BrokerDatabase, outbox: Outbox): ScheduleStore =>
  createScheduleStore(database, outbox, () => newId('sch'));

export interface ScheduleWiring {
  readonly schedules: ScheduleStore;
  readonly conversations: ConversationStore;
  readonly identity: Identity;
  readonly sandbox: Sandbox;
  readonly isolated: IsolatedModels;
  readonly models: GrpcClient<typeof ModelsServiceService>;
  readonly isReadDenied: RunSchedulesParts['isReadDenied'];
  tell(conversationId: string): Promise<void>;
  readonly logger: Logger;
}

export const wireSchedules = (
  parts: ScheduleWiring,
): {
  readonly handlers: Pick<
    Handlers<typeof BrokerServiceService>,
    'beginTurn' | 'endTurn' | 'listSchedules' | 'cancelSchedule'
  >;
  readonly sweep: Pick<SweepSteps, 'steps' | 'onError'>;
} => {
  const { schedules, conversations, tell, logger } = parts;
  const warn = (error: unknown, schedule: string): void =>
    logger.warn({ err: error, schedule }, 'a schedule cannot go on just now; trying again');
  const steps = createScheduleSteps({
    ...parts,
    checkStanding: createCheckStanding(parts.identity),
    onError: warn,
  });
  const endTurn = createEndTurn({
    ...{ schedules, conversations, onError: warn },
    models: parts.isolated,
    budgetGone: createBudgetGone(parts.models),
  });
  return {
    handlers: scheduleHandlers({ schedules, conversations, endTurn, tell }),
    sweep: {
      steps: {
        'end what is too old': steps.endOld,
        'ask again what is due': steps.fireDue,
        'look at watched files': steps.lookAtFiles,
      },
      onError: (step, error) => logger.warn({ err: error, step }, 'a step of the schedules failed; trying again'),
    },
  };
};
