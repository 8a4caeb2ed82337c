/** Wires audit: stores over one database, use cases over stores, the consumer and the handlers over use cases. */
import type { Handlers, Logger } from '@bravo/chassis';
import type { Bus } from '@bravo/events';
import type { AuditServiceService } from '@bravo/proto/audit';
import { startCheckpointSchedule } from './checkpoints/checkpoint-schedule.ts';
import { createCheckpoints } from './checkpoints/checkpoints.prisma.ts';
import { createSignCheckpoint } from './checkpoints/sign-checkpoint.ts';
import type { NoteSigner } from './checkpoints/signed-note.ts';
import type { Database } from './databases/database.prisma.ts';
import { createEntries } from './trail/entries.prisma.ts';
import { listEntriesHandler } from './trail/list-entries.grpc.ts';
import { createListEntries } from './trail/list-entries.ts';
import { consumeEvents } from './trail/record-event.consumer.ts';
import { createRecordEvent } from './trail/record-event.ts';
import { verifyLogHandler } from './trail/verify-log.grpc.ts';
import { createVerifyLog } from './trail/verify-log.ts';

export interface AuditParts {
  readonly database: Database;
  readonly bus: Bus;
  readonly signer: NoteSigner;
  readonly checkpointRows: number;
  readonly checkpointSeconds: number;
  readonly logger: Logger;
}

export interface Audit {
  readonly handlers: Handlers<AuditServiceService>;
  /** Begins to take events and to sign checkpoints; what it returns ends both, in that order, with everything signed. */
  start(): { stop(): Promise<void> };
}

export const createAudit = ({
  database,
  bus,
  signer,
  checkpointRows,
  checkpointSeconds,
  logger,
}: AuditParts): Audit => {
  const entries = createEntries(database);
  const checkpoints = createCheckpoints(database);
  return {
    handlers: {
      listEntries: listEntriesHandler(createListEntries(entries)),
      verifyLog: verifyLogHandler(createVerifyLog({ entries, checkpoints, signer })),
    },
    start() {
      const schedule = startCheckpointSchedule({
        signCheckpoint: createSignCheckpoint({ entries, checkpoints, signer }),
        logsBehind: () => checkpoints.logsBehind(),
        rows: checkpointRows,
        seconds: checkpointSeconds,
        logger,
      });
      const recordEvent = createRecordEvent(entries);
      const consumer = consumeEvents({
        bus,
        recordEvent,
        onRecorded: (workspaceId) => schedule.noteEntry(workspaceId),
        logger,
      });
      return {
        stop: async () => {
          await consumer.stop();
          await schedule.stop();
        },
      };
    },
  };
};
