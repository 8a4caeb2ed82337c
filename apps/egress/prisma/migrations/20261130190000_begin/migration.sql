CREATE TABLE "outbox" (
    "id" BIGSERIAL NOT NULL,
    "event_id" TEXT NOT NULL,
    "stream" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "sequence" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "published_at" TIMESTAMPTZ(3),

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "outbox_event_id_key" ON "outbox"("event_id");
CREATE UNIQUE INDEX "outbox_sequence_key" ON "outbox"("sequence");
CREATE INDEX "outbox_unpublished" ON "outbox"("id") WHERE "published_at" IS NULL;
-- Which incarnation of each stream the outbox was published to: one that was lost shows by another, and all is published again.
CREATE TABLE "outbox_streams" (
  "stream" TEXT PRIMARY KEY,
  "created" TEXT NOT NULL,
  "last_sequence" BIGINT NOT NULL
);
