-- A delegate is a conversation below another one: its own pod, token and record, and the person's all the same.
ALTER TABLE "conversations" ADD COLUMN "parent_id" TEXT, ADD COLUMN "root_id" TEXT;
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_below" CHECK (("parent_id" IS NULL) = ("root_id" IS NULL));
CREATE INDEX "conversations_root_id_idx" ON "conversations"("root_id");

CREATE TABLE "delegates" (
    "conversation_id" TEXT NOT NULL,
    "parent_id" TEXT NOT NULL,
    "root_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "depth" INTEGER NOT NULL,
    "task" TEXT NOT NULL,
    "instructions" TEXT NOT NULL DEFAULT '',
    "tool_call_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "cancelled_at" TIMESTAMPTZ(3),
    "silent" BOOLEAN NOT NULL DEFAULT false,
    "outcome" TEXT NOT NULL DEFAULT '',
    "settled_at" TIMESTAMPTZ(3),
    CONSTRAINT "delegates_pkey" PRIMARY KEY ("conversation_id"),
    CONSTRAINT "delegates_depth_range" CHECK ("depth" BETWEEN 1 AND 3),
    CONSTRAINT "delegates_outcome" CHECK ("outcome" IN ('', 'completed', 'failed', 'cancelled', 'interrupted')),
    CONSTRAINT "delegates_settled" CHECK (("outcome" = '') = ("settled_at" IS NULL))
);
CREATE UNIQUE INDEX "delegates_root_id_name_key" ON "delegates"("root_id", "name");
CREATE INDEX "delegates_tool_call_id_idx" ON "delegates"("tool_call_id");
CREATE INDEX "delegates_settled_at_idx" ON "delegates"("settled_at");
ALTER TABLE "delegates" ADD CONSTRAINT "delegates_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
