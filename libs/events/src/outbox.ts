/**
 * The outbox: an event is a row in the transaction of the state it tells, so neither can exist without the other.
 * The table is the same in every schema (see OUTBOX_TABLE); Prisma is met only by its shape.
 */
import { ulid } from 'ulid';
import { buildEvent, eventSubject, type EventDraft } from './cloud-event.ts';
import { type EventType } from './catalogue.ts';
import { WORK_TURN_SUBJECT, workItem, type WorkItem } from './work.ts';

export interface SqlTransaction {
  $executeRawUnsafe(query: string, ...values: unknown[]): PromiseLike<number>;
  $queryRawUnsafe<T = unknown>(query: string, ...values: unknown[]): PromiseLike<T>;
}

export interface SqlDatabase extends SqlTransaction {
  $transaction<T>(
    work: (tx: SqlTransaction) => Promise<T>,
    options?: { maxWait?: number; timeout?: number },
  ): Promise<T>;
}

/** For migrations and for the Prisma model `Outbox` (`@@map("outbox")`). `sequence` is null until the relay has numbered an event. */
export const OUTBOX_TABLE = `
CREATE TABLE "outbox" (
  "id" BIGSERIAL PRIMARY KEY,
  "event_id" TEXT NOT NULL UNIQUE,
  "stream" TEXT NOT NULL,
  "subject" TEXT NOT NULL,
  "body" TEXT NOT NULL,
  "sequence" BIGINT UNIQUE,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "published_at" TIMESTAMPTZ(3)
);
CREATE INDEX "outbox_unpublished" ON "outbox" ("id") WHERE "published_at" IS NULL;
-- Which incarnation of each stream was published to: one that was lost shows by another, and all is published again.
CREATE TABLE "outbox_streams" (
  "stream" TEXT PRIMARY KEY,
  "created" TEXT NOT NULL,
  "last_sequence" BIGINT NOT NULL
);
`;

/** An event as its row holds it. */
export interface EventRow {
  readonly eventId: string;
  readonly subject: string;
  readonly body: string;
}

export interface Outbox {
  /** The row of an event, for a statement that writes it beside its state. @throws when the data does not fit the catalogue. */
  toRow<T extends EventType>(draft: EventDraft<T>): EventRow;
  /** In this order, with one statement. @throws as `toRow` does: the transaction must then fail too. */
  appendEvents(tx: SqlTransaction, drafts: readonly EventDraft[]): Promise<void>;
  /** @returns the event's id. @throws when the data does not fit the catalogue: the transaction must then fail too. */
  appendEvent<T extends EventType>(tx: SqlTransaction, draft: EventDraft<T>): Promise<string>;
  /** Once per `work_id`, however often it is appended. */
  appendWork(tx: SqlTransaction, item: WorkItem): Promise<void>;
  /** Takes work out again, with the words it carries; what a stream was given already is not called back. */
  dropWork(tx: SqlTransaction, workIds: readonly string[]): Promise<void>;
}

const SCHEMA_NAME = /^[a-z_]+$/;

export interface OutboxOptions {
  /** Postgres schema of the app. */
  readonly schema: string;
  /** The service's name in events. */
  readonly producer: string;
  /** W3C trace context of the work in hand; the chassis has it as `outgoingTraceparent`. */
  readonly traceparent: () => string;
}

export const createOutbox = ({ schema, producer, traceparent }: OutboxOptions): Outbox => {
  if (!SCHEMA_NAME.test(schema)) throw new Error(`"${schema}" is not a schema name`);
  const insert = `INSERT INTO "${schema}"."outbox" ("event_id", "stream", "subject", "body") VALUES ($1, $2, $3, $4) ON CONFLICT ("event_id") DO NOTHING`;
  const insertAll = `INSERT INTO "${schema}"."outbox" ("event_id", "stream", "subject", "body")
    SELECT e."id", 'EVENTS', e."subject", e."body"
    FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS e("id", "subject", "body", "at") ORDER BY e."at"`;
  const remove = `DELETE FROM "${schema}"."outbox" WHERE "stream" = 'WORK' AND "event_id" = ANY($1::text[])`;
  const toRow = <T extends EventType>(draft: EventDraft<T>): EventRow => {
    const eventId = `evt_${ulid().toLowerCase()}`;
    const stamp = { id: eventId, time: new Date().toISOString(), producer, traceparent: traceparent() };
    const event = buildEvent(draft, stamp);
    return { eventId, subject: eventSubject(event), body: JSON.stringify(event) };
  };
  return {
    toRow,
    async appendEvent(tx, draft) {
      const { eventId, subject, body } = toRow(draft);
      await tx.$executeRawUnsafe(insert, eventId, 'EVENTS', subject, body);
      return eventId;
    },
    async appendEvents(tx, drafts) {
      const rows = drafts.map(toRow);
      await tx.$executeRawUnsafe(
        insertAll,
        rows.map(({ eventId }) => eventId),
        rows.map(({ subject }) => subject),
        rows.map(({ body }) => body),
      );
    },
    async appendWork(tx, item) {
      await tx.$executeRawUnsafe(
        insert,
        item.work_id,
        'WORK',
        WORK_TURN_SUBJECT,
        JSON.stringify(workItem.parse({ traceparent: traceparent() || undefined, ...item })),
      );
    },
    async dropWork(tx, workIds) {
      await tx.$executeRawUnsafe(remove, [...workIds]);
    },
  };
};
