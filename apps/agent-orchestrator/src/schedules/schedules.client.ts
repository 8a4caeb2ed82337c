/** The broker's schedules over gRPC, in the name of the person whose conversation it is. */
import type { GrpcClient } from '@bravo/chassis';
import type { BrokerServiceService } from '@bravo/proto/broker';
import type { Schedules } from './schedules.ts';

const BEGIN_MS = 5_000;
/** A goal is judged by a model. */
const END_MS = 90_000;

export const createSchedules = (
  client: Pick<GrpcClient<typeof BrokerServiceService>, 'beginTurn' | 'endTurn'>,
): Schedules => ({
  beginTurn: async (subject, conversationId, turn) =>
    (await client.beginTurn({ conversationId, ...turn }, { subject, timeoutMs: BEGIN_MS })).answer,
  endTurn: async (subject, conversationId, turn) =>
    (await client.endTurn({ conversationId, ...turn }, { subject, timeoutMs: END_MS })).needsAnswer,
});
