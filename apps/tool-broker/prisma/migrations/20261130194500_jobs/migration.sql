ALTER TABLE "tool_call" ADD COLUMN "steps" TEXT NOT NULL DEFAULT '';

CREATE TABLE "job" (
    "id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'running',
    "trust_output" BOOLEAN NOT NULL,
    "stdout_seen" BIGINT NOT NULL DEFAULT 0,
    "stderr_seen" BIGINT NOT NULL DEFAULT 0,
    "plan_digest" TEXT NOT NULL,
    "plan_bytes" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),
    "told_at" TIMESTAMPTZ(3),

    CONSTRAINT "job_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "job_conversation_id_status_idx" ON "job"("conversation_id", "status");

CREATE INDEX "job_status_idx" ON "job"("status");

ALTER TABLE "job" ADD CONSTRAINT "job_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversation"("id") ON DELETE CASCADE ON UPDATE CASCADE;
