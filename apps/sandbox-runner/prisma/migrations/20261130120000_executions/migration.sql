-- CreateTable
CREATE TABLE "executions" (
    "workspace_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "request_digest" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "instance" TEXT NOT NULL,
    "runner" TEXT NOT NULL,
    "may_run_until" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    "result" JSONB,
    "stdout" BYTEA,
    "stderr" BYTEA,

    CONSTRAINT "executions_pkey" PRIMARY KEY ("workspace_id", "id"),
    CONSTRAINT "executions_status_check" CHECK ("status" IN ('started', 'finished'))
);

-- CreateTable
CREATE TABLE "execution_files" (
    "workspace_id" TEXT NOT NULL,
    "execution_id" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "mode" INTEGER NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "execution_files_pkey" PRIMARY KEY ("workspace_id", "execution_id", "path")
);

-- CreateIndex
CREATE INDEX "executions_workspace_id_conversation_id_idx" ON "executions"("workspace_id", "conversation_id");

-- CreateIndex
CREATE INDEX "executions_instance_status_idx" ON "executions"("instance", "status");

-- CreateIndex
CREATE INDEX "executions_finished_at_idx" ON "executions"("finished_at");

-- AddForeignKey
ALTER TABLE "execution_files" ADD CONSTRAINT "execution_files_workspace_id_execution_id_fkey" FOREIGN KEY ("workspace_id", "execution_id") REFERENCES "executions"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
