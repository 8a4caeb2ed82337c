-- What audit itself does (somebody read or exported the trail, content was erased) is told like everything else.
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
