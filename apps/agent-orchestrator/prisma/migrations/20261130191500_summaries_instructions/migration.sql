-- Older turns as they are told to a fresh pod, and what the model is told at the head of every request (ADR 0019).
CREATE TABLE "conversation_summaries" (
  "id" BIGSERIAL PRIMARY KEY,
  "conversation_id" TEXT NOT NULL,
  "through_seq" BIGINT NOT NULL,
  "messages" INTEGER NOT NULL,
  "left_out" INTEGER NOT NULL,
  "text" TEXT NOT NULL,
  "model" TEXT NOT NULL,
  "tokens" INTEGER NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now()
);
CREATE INDEX "conversation_summaries_conversation_id_id_idx" ON "conversation_summaries" ("conversation_id", "id");

CREATE TABLE "instructions" (
  "conversation_id" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "digest" TEXT NOT NULL,
  "text" TEXT NOT NULL,
  "parts" JSONB NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  PRIMARY KEY ("conversation_id", "version")
);
