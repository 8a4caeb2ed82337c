-- What stands at the head of every request of a conversation (ADR 0019).
CREATE TABLE "conversation_instructions" (
  "conversation_id" TEXT PRIMARY KEY,
  "workspace_id" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "digest" TEXT NOT NULL,
  "text" TEXT NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now()
);
