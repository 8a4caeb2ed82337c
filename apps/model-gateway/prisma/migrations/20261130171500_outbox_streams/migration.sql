-- Which incarnation of each stream the outbox was published to: one that was lost shows by another, and all is published again.
CREATE TABLE "outbox_streams" (
  "stream" TEXT PRIMARY KEY,
  "created" TEXT NOT NULL,
  "last_sequence" BIGINT NOT NULL
);
