-- A delegate works in a conversation of its own, with what its parent held at that moment and never more.
ALTER TABLE "conversation"
  ADD COLUMN "parent_id" TEXT,
  ADD COLUMN "root_id" TEXT,
  ADD COLUMN "depth" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "delegate_name" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "kind" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "task" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "tools" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "spawn_call_id" TEXT,
  ADD COLUMN "spawn_index" INTEGER,
  ADD COLUMN "reported_at" TIMESTAMPTZ(3),
  ADD COLUMN "report_told" BOOLEAN NOT NULL DEFAULT false;
-- A delegate without a list of tools would be one that holds them all.
ALTER TABLE "conversation" ADD CONSTRAINT "conversation_delegate" CHECK (
  ("parent_id" IS NULL AND "root_id" IS NULL AND "depth" = 0 AND "spawn_call_id" IS NULL)
  OR ("parent_id" IS NOT NULL AND "root_id" IS NOT NULL AND "depth" BETWEEN 1 AND 3 AND "tools" <> '' AND "spawn_call_id" IS NOT NULL AND "spawn_index" IS NOT NULL)
);
CREATE UNIQUE INDEX "conversation_spawn_call_id_spawn_index_key" ON "conversation"("spawn_call_id", "spawn_index");
CREATE INDEX "conversation_root_id_idx" ON "conversation"("root_id");
