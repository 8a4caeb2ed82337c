-- Where the trail of a workspace is delivered to, and how far each place has it. These are settings and positions, no record:
-- who changed what is told as an event, and the record itself is never touched from here.
CREATE TABLE "destinations" (
  "destination_id" TEXT PRIMARY KEY,
  "workspace_id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "kind" TEXT NOT NULL CHECK ("kind" IN ('syslog', 'webhook', 's3')),
  "url" TEXT NOT NULL,
  "format" TEXT NOT NULL CHECK ("format" IN ('jsonl', 'cloudevents', 'ocsf', 'cef')),
  "every_seconds" INTEGER NOT NULL CHECK ("every_seconds" > 0),
  "region" TEXT NOT NULL DEFAULT '',
  "certificates" TEXT NOT NULL DEFAULT '',
  -- Wrapped with the key of the machine, bound to this destination.
  "sealed_secret" TEXT NOT NULL,
  "paused" BOOLEAN NOT NULL DEFAULT false,
  "version" INTEGER NOT NULL DEFAULT 1,
  "created_by" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "removed_at" TIMESTAMPTZ(3),
  -- The first entry it does not have.
  "next_index" BIGINT NOT NULL CHECK ("next_index" >= 0),
  -- The end of what was begun to be sent and is not known to have arrived: tried again exactly so.
  "pending_to" BIGINT,
  "delivered_at" TIMESTAMPTZ(3),
  "failing_since" TIMESTAMPTZ(3),
  "failures" INTEGER NOT NULL DEFAULT 0,
  "problem" TEXT NOT NULL DEFAULT '',
  "try_at" TIMESTAMPTZ(3)
);
CREATE INDEX "destinations_workspace_idx" ON "destinations" ("workspace_id") WHERE "removed_at" IS NULL;
CREATE UNIQUE INDEX "destinations_name_idx" ON "destinations" ("workspace_id", "name") WHERE "removed_at" IS NULL;
