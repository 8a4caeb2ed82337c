/** Writes an event into the transaction of the state it tells; there is no way here to publish one without a transaction. */
import { outgoingTraceparent } from '@bravo/chassis/trace-context';
import { createOutbox, type EventDraft, type EventType } from '@bravo/events';
import type { Transaction } from '../databases/database.prisma.ts';

export interface EventLog {
  append<T extends EventType>(tx: Transaction, draft: EventDraft<T>): Promise<void>;
}

export const createEventLog = (schema: string): EventLog => {
  const outbox = createOutbox({ schema, producer: 'identity', traceparent: outgoingTraceparent });
  return {
    append: async (tx, draft) => {
      await outbox.appendEvent(tx, draft);
    },
  };
};
