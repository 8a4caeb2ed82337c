-- CreateTable
CREATE TABLE "model_calls" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "pod_id" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'started',
    "failure" TEXT,
    "input_tokens" INTEGER,
    "output_tokens" INTEGER,
    "day" DATE NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "model_calls_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "model_calls_status_check" CHECK ("status" IN ('started', 'completed', 'failed', 'cancelled')),
    CONSTRAINT "model_calls_tokens_check" CHECK ("input_tokens" >= 0 AND "output_tokens" >= 0)
);

-- CreateIndex
CREATE INDEX "model_calls_workspace_id_started_at_idx" ON "model_calls"("workspace_id", "started_at");

-- CreateIndex
CREATE INDEX "model_calls_conversation_id_idx" ON "model_calls"("conversation_id");
