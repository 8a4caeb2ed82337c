CREATE TABLE "schedule" (
  "id" TEXT PRIMARY KEY,
  "conversation_id" TEXT NOT NULL REFERENCES "conversation" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "workspace_id" TEXT NOT NULL,
  "user_id" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "status" TEXT NOT NULL DEFAULT 'live',
  "line" TEXT NOT NULL,
  "every_seconds" INTEGER NOT NULL DEFAULT 0,
  "path" TEXT NOT NULL DEFAULT '',
  "landing" TEXT NOT NULL DEFAULT '',
  "token" TEXT NOT NULL DEFAULT '',
  "tool_call_id" TEXT,
  "tick" TEXT NOT NULL DEFAULT '',
  "next_seconds" INTEGER,
  "fires" INTEGER NOT NULL DEFAULT 0,
  "quiet" INTEGER NOT NULL DEFAULT 0,
  "silent" INTEGER NOT NULL DEFAULT 0,
  "failures" INTEGER NOT NULL DEFAULT 0,
  "due_at" TIMESTAMPTZ(3),
  "fired_at" TIMESTAMPTZ(3),
  "looked_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "ended_at" TIMESTAMPTZ(3),
  "end_reason" TEXT NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX "schedule_tool_call_id_key" ON "schedule" ("tool_call_id");
CREATE INDEX "schedule_conversation_id_status_idx" ON "schedule" ("conversation_id", "status");
CREATE INDEX "schedule_status_due_at_idx" ON "schedule" ("status", "due_at");
CREATE INDEX "schedule_status_kind_looked_at_idx" ON "schedule" ("status", "kind", "looked_at");
-- A conversation has one loop or goal at a time, whatever else goes wrong.
CREATE UNIQUE INDEX "schedule_one_pursuit" ON "schedule" ("conversation_id") WHERE "status" = 'live' AND "kind" <> 'watch';

CREATE TABLE "current_turn" (
  "conversation_id" TEXT PRIMARY KEY REFERENCES "conversation" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "turn_id" TEXT NOT NULL,
  "origin" TEXT NOT NULL,
  "line" TEXT NOT NULL DEFAULT '',
  "schedule_id" TEXT
);
