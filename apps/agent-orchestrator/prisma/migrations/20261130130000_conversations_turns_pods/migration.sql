-- CreateTable
CREATE TABLE "conversations" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL DEFAULT '',
    "title" TEXT NOT NULL DEFAULT '',
    "mode" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "policy_version" TEXT NOT NULL,
    "lease_holder" TEXT,
    "lease_expires_at" TIMESTAMPTZ(3),
    "occupies_slot" BOOLEAN NOT NULL DEFAULT false,
    "attached_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),
    "erased_at" TIMESTAMPTZ(3),

    CONSTRAINT "conversations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "messages" (
    "id" TEXT NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "turn_id" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "content" TEXT NOT NULL DEFAULT '',
    "status" TEXT NOT NULL,
    "input_tokens" INTEGER NOT NULL DEFAULT 0,
    "output_tokens" INTEGER NOT NULL DEFAULT 0,
    "error_code" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "turns" (
    "id" TEXT NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "reason" TEXT NOT NULL,
    "user_message_id" TEXT NOT NULL,
    "assistant_message_id" TEXT,
    "idempotency_key" TEXT,
    "context_json" TEXT NOT NULL DEFAULT '',
    "stream_position" BIGINT NOT NULL,
    "slot_limit" INTEGER NOT NULL,
    "holder" TEXT,
    "pod_id" TEXT,
    "cancel_requested" BOOLEAN NOT NULL DEFAULT false,
    "error_code" TEXT NOT NULL DEFAULT '',
    "error_detail" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "terminal_published_at" TIMESTAMPTZ(3),

    CONSTRAINT "turns_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pods" (
    "id" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "token_id" TEXT NOT NULL,
    "token_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "workspace_id" TEXT,
    "user_id" TEXT,
    "conversation_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "claimed_at" TIMESTAMPTZ(3),
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "released_at" TIMESTAMPTZ(3),
    "release_reason" TEXT NOT NULL DEFAULT '',
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "pods_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "consumed_work" (
    "work_id" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "consumed_work_pkey" PRIMARY KEY ("work_id")
);

-- CreateTable
CREATE TABLE "outbox" (
    "id" BIGSERIAL NOT NULL,
    "event_id" TEXT NOT NULL,
    "stream" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "sequence" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "published_at" TIMESTAMPTZ(3),

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "conversations_workspace_id_user_id_id_idx" ON "conversations"("workspace_id", "user_id", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "messages_seq_key" ON "messages"("seq");

-- CreateIndex
CREATE INDEX "messages_conversation_id_seq_idx" ON "messages"("conversation_id", "seq" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "turns_seq_key" ON "turns"("seq");

-- CreateIndex
CREATE INDEX "turns_conversation_id_status_idx" ON "turns"("conversation_id", "status");

-- CreateIndex
CREATE UNIQUE INDEX "turns_conversation_id_idempotency_key_key" ON "turns"("conversation_id", "idempotency_key");

-- CreateIndex
CREATE INDEX "pods_owner_state_idx" ON "pods"("owner", "state");

-- CreateIndex
CREATE INDEX "pods_workspace_id_claimed_at_idx" ON "pods"("workspace_id", "claimed_at");

-- CreateIndex
CREATE UNIQUE INDEX "outbox_event_id_key" ON "outbox"("event_id");

-- CreateIndex
CREATE UNIQUE INDEX "outbox_sequence_key" ON "outbox"("sequence");

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "turns" ADD CONSTRAINT "turns_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma's schema language cannot say. The database refuses what the code would never write.
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_mode_known" CHECK ("mode" IN ('ask', 'coworker', 'voice'));
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_status_known" CHECK ("status" IN ('active', 'ended'));
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_lease_whole" CHECK (num_nonnulls("lease_holder", "lease_expires_at") IN (0, 2));
ALTER TABLE "messages" ADD CONSTRAINT "messages_role_known" CHECK ("role" IN ('user', 'assistant', 'system'));
ALTER TABLE "messages" ADD CONSTRAINT "messages_status_known" CHECK ("status" IN ('complete', 'streaming', 'cancelled', 'failed', 'interrupted'));
ALTER TABLE "turns" ADD CONSTRAINT "turns_status_known" CHECK ("status" IN ('queued', 'running', 'completed', 'failed', 'cancelled', 'interrupted'));
ALTER TABLE "pods" ADD CONSTRAINT "pods_state_known" CHECK ("state" IN ('starting', 'warm', 'claimed', 'released'));
-- One turn at a time per conversation, and one conversation per pod for good.
CREATE UNIQUE INDEX "turns_one_running" ON "turns" ("conversation_id") WHERE "status" = 'running';
CREATE UNIQUE INDEX "pods_one_claimed" ON "pods" ("conversation_id") WHERE "state" = 'claimed';
CREATE INDEX "turns_open" ON "turns" ("conversation_id", "seq") WHERE "status" IN ('queued', 'running');
CREATE INDEX "turns_unpublished" ON "turns" ("finished_at") WHERE "terminal_published_at" IS NULL AND "finished_at" IS NOT NULL;
CREATE INDEX "outbox_unpublished" ON "outbox" ("id") WHERE "published_at" IS NULL;
