-- CreateTable
CREATE TABLE "conversation" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL DEFAULT '',
    "mode" TEXT NOT NULL,
    "policy_version" TEXT NOT NULL,
    "config" TEXT NOT NULL,
    "integrity" TEXT NOT NULL DEFAULT 'trusted',
    "holds_private" BOOLEAN NOT NULL DEFAULT false,
    "next_slot" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "erased_at" TIMESTAMPTZ(3),

    CONSTRAINT "conversation_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "conversation_mode_known" CHECK ("mode" IN ('ask', 'coworker', 'voice')),
    CONSTRAINT "conversation_integrity_known" CHECK ("integrity" IN ('trusted', 'untrusted'))
);

-- CreateTable
CREATE TABLE "path_trust" (
    "conversation_id" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "trusted" BOOLEAN NOT NULL,
    "written_by" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "path_trust_pkey" PRIMARY KEY ("conversation_id","path")
);

-- CreateTable
CREATE TABLE "slot" (
    "conversation_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "tool_call_id" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "kind" TEXT NOT NULL,
    "lines" INTEGER NOT NULL,
    "bytes" BIGINT NOT NULL,
    "integrity" TEXT NOT NULL,
    "confidentiality" TEXT NOT NULL,
    "content" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "slot_pkey" PRIMARY KEY ("conversation_id","number")
);

-- CreateTable
CREATE TABLE "tool_call" (
    "id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "input" TEXT NOT NULL,
    "why" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "output" TEXT NOT NULL DEFAULT '',
    "is_error" BOOLEAN NOT NULL DEFAULT false,
    "refs" INTEGER[],
    "integrity" TEXT NOT NULL DEFAULT 'untrusted',
    "confidentiality" TEXT NOT NULL DEFAULT 'private',
    "reasons" TEXT NOT NULL DEFAULT '[]',
    "call_digest" TEXT NOT NULL DEFAULT '',
    "duration_ms" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    "runner" TEXT NOT NULL DEFAULT '',
    "runner_seen_at" TIMESTAMPTZ(3),
    "effect" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "tool_call_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "tool_call_status_known" CHECK ("status" IN ('running', 'needs_approval', 'completed', 'failed', 'denied', 'refused', 'expired', 'outcome_unknown'))
);

-- CreateTable
CREATE TABLE "turn_notice" (
    "id" BIGSERIAL NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "data" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "turn_notice_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "approval" (
    "id" TEXT NOT NULL,
    "tool_call_id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "input" TEXT NOT NULL,
    "why" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "asks" TEXT NOT NULL,
    "trust_output_offered" BOOLEAN NOT NULL,
    "trust_output" BOOLEAN NOT NULL DEFAULT false,
    "call_digest" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_by" TEXT NOT NULL DEFAULT '',
    "decided_at" TIMESTAMPTZ(3),
    "held_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "continued_at" TIMESTAMPTZ(3),

    CONSTRAINT "approval_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "approval_status_known" CHECK ("status" IN ('pending', 'approved', 'denied', 'expired', 'superseded', 'executing', 'done', 'failed', 'outcome_unknown')),
    -- A wider answer than was offered cannot be stored, whoever asks for it.
    CONSTRAINT "approval_trust_output_was_offered" CHECK (NOT "trust_output" OR "trust_output_offered")
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
CREATE INDEX "conversation_workspace_id_user_id_idx" ON "conversation"("workspace_id", "user_id");

-- CreateIndex
CREATE INDEX "slot_tool_call_id_idx" ON "slot"("tool_call_id");

-- CreateIndex
CREATE INDEX "tool_call_conversation_id_created_at_idx" ON "tool_call"("conversation_id", "created_at");

-- CreateIndex
CREATE INDEX "tool_call_status_runner_seen_at_idx" ON "tool_call"("status", "runner_seen_at");

-- CreateIndex
CREATE INDEX "turn_notice_conversation_id_id_idx" ON "turn_notice"("conversation_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "approval_tool_call_id_key" ON "approval"("tool_call_id");

-- CreateIndex
CREATE INDEX "approval_conversation_id_call_digest_idx" ON "approval"("conversation_id", "call_digest");

-- CreateIndex
CREATE INDEX "approval_user_id_workspace_id_status_idx" ON "approval"("user_id", "workspace_id", "status");

-- CreateIndex
CREATE INDEX "approval_status_expires_at_idx" ON "approval"("status", "expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "outbox_event_id_key" ON "outbox"("event_id");

-- CreateIndex
CREATE UNIQUE INDEX "outbox_sequence_key" ON "outbox"("sequence");

-- AddForeignKey
ALTER TABLE "path_trust" ADD CONSTRAINT "path_trust_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversation"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "slot" ADD CONSTRAINT "slot_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversation"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tool_call" ADD CONSTRAINT "tool_call_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversation"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approval" ADD CONSTRAINT "approval_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversation"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approval" ADD CONSTRAINT "approval_tool_call_id_fkey" FOREIGN KEY ("tool_call_id") REFERENCES "tool_call"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma's schema cannot say:
-- at most one live question per call of a conversation, so that identical calls meet in one row whoever is first;
CREATE UNIQUE INDEX "approval_one_live_question" ON "approval"("conversation_id", "call_digest") WHERE "status" IN ('pending', 'approved', 'executing');
-- and the relay's way to what is not published yet.
CREATE INDEX "outbox_unpublished" ON "outbox"("id") WHERE "published_at" IS NULL;
