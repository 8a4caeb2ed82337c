/** Audit's own events, in its outbox: they reach the log the way everybody's do. */
import type { Outbox } from '@bravo/events';
import type { Database } from '../databases/database.prisma.ts';
import type { TellOwnEvent } from './record-read.ts';

export const createTellOwnEvent =
  (database: Database, outbox: Outbox): TellOwnEvent =>
  async (draft) => {
    await database.$transaction((tx) => outbox.appendEvent(tx, draft));
  };
