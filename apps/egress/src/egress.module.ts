/** Wires egress: the resolver, the dialler and the record into one use case, and that behind the CONNECT edge. No logic. */
import {
  createCounter,
  createTicketVerifier,
  HealthModule,
  type Logger,
  measure,
  newId,
  outgoingTraceparent,
  type Readiness,
} from '@bravo/chassis';
import { createOutbox, type OutboxRelay } from '@bravo/events';
import { type DynamicModule, Module } from '@nestjs/common';
import { carryBytes } from './connections/carry-bytes.client.ts';
import { type ConnectEdge, createConnectEdge } from './connections/connect.http.ts';
import { createConnectionRecord } from './connections/connection-record.prisma.ts';
import { createOpenConnection } from './connections/open-connection.ts';
import { createRoom } from './connections/room.ts';
import { createUsedTickets } from './connections/used-tickets.ts';
import type { Database } from './databases/database.prisma.ts';
import { createDial } from './destinations/dial.client.ts';
import { createIsListed } from './destinations/listed-destinations.ts';
import { createResolveName } from './destinations/resolve-name.client.ts';

export const SCHEMA = 'egress';

export interface EgressParts {
  readonly database: Database;
  readonly relay: Pick<OutboxRelay, 'nudge'>;
  readonly logger: Logger;
  readonly serviceKeysFile: string;
  readonly privateDestinations: readonly string[];
  readonly dnsServers: readonly string[];
  readonly connections: number;
  readonly connectionsPerWorkspace: number;
}

export const createEgress = (parts: EgressParts): ConnectEdge => {
  const { database, relay, logger } = parts;
  const outbox = createOutbox({ schema: SCHEMA, producer: 'egress', traceparent: outgoingTraceparent });
  const room = createRoom({ all: parts.connections, perWorkspace: parts.connectionsPerWorkspace });
  const ended = createCounter(
    'bravo_egress_connections_total',
    'Connections to the outside that were opened, by how they ended.',
    ['purpose', 'outcome'],
  );
  const refused = createCounter(
    'bravo_egress_refused_total',
    'Connections to the outside that were not opened, by the reason.',
    ['reason'],
  );
  const carried = createCounter('bravo_egress_bytes_total', 'Bytes carried to and from the outside.', [
    'purpose',
    'direction',
  ]);
  measure('bravo_egress_open', 'Connections to the outside that are open or being opened.', [], async () => [
    { value: room.taken() },
  ]);
  return createConnectEdge({
    openConnection: createOpenConnection({
      verifyTicket: createTicketVerifier(parts.serviceKeysFile),
      useTicket: createUsedTickets(Date.now),
      isListed: createIsListed(parts.privateDestinations),
      resolveName: createResolveName(parts.dnsServers),
      dial: createDial(),
      record: createConnectionRecord(database, outbox, relay),
      room,
      newConnectionId: () => newId('con'),
      now: () => performance.now(),
      onUnrecorded: (error, connectionId) =>
        logger.error({ err: error, connection: connectionId }, 'the end of a connection could not be put on record'),
    }),
    carryBytes,
    onEnded: (purpose, outcome, sentBytes, receivedBytes) => {
      ended.count({ purpose, outcome });
      carried.count({ purpose, direction: 'sent' }, sentBytes);
      carried.count({ purpose, direction: 'received' }, receivedBytes);
    },
    onRefused: (reason, error) => {
      refused.count({ reason });
      logger.info({ err: error, reason }, 'a connection to the outside was refused');
    },
  });
};

@Module({})
export class EgressModule {
  static with(readiness: Readiness): DynamicModule {
    return { module: EgressModule, imports: [HealthModule.with(readiness)] };
  }
}
