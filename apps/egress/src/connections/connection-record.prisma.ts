/** Connections as events of the outbox: one before it is opened, one when it has ended. It keeps nothing else. */
import { type EventDraft, type EventType, type Outbox, serviceActor } from '@bravo/events';
import type { Database } from '../databases/database.prisma.ts';
import type { Allowed, ConnectionRecord } from './connection-record.ts';

type EgressTicket = Allowed['ticket'];

export const createConnectionRecord = (
  database: Database,
  outbox: Outbox,
  relay: { nudge(): void },
): ConnectionRecord => {
  const append = async <T extends EventType>(
    type: T,
    ticket: EgressTicket,
    data: EventDraft<T>['data'],
  ): Promise<void> => {
    await outbox.appendEvent(database, {
      type,
      workspace: ticket.workspaceId,
      ...(ticket.conversationId === '' ? {} : { conversation: ticket.conversationId }),
      actor: serviceActor('egress'),
      ...(ticket.userId === '' ? {} : { onBehalfOf: ticket.userId }),
      causation: ticket.decisionId,
      data,
    });
    relay.nudge();
  };
  const about = ({ service, purpose, host, port, decisionId }: EgressTicket) => ({
    ...{ service, purpose, host, port },
    decision_id: decisionId,
  });
  return {
    allowed: ({ connectionId, ticket, addresses }) =>
      append('agent.egress.allowed', ticket, {
        connection_id: connectionId,
        ...about(ticket),
        addresses: addresses.slice(0, 50),
      }),
    ended: ({ connectionId, ticket }, { outcome, sentBytes, receivedBytes, durationMs }) =>
      append('agent.egress.ended', ticket, {
        connection_id: connectionId,
        outcome,
        sent_bytes: sentBytes,
        received_bytes: receivedBytes,
        duration_ms: durationMs,
      }),
    refused: (ticket, reason) => append('agent.egress.refused', ticket, { ...about(ticket), reason }),
  };
};
