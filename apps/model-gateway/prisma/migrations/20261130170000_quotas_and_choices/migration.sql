-- AlterTable
ALTER TABLE "model_calls"
    ADD COLUMN "root_conversation_id" TEXT NOT NULL DEFAULT '',
    ADD COLUMN "charged_tokens" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "cost_micros" BIGINT,
    ADD COLUMN "credits" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "reserved_tokens" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "reserved_micros" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "reserved_credits" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "windows" TEXT[] DEFAULT ARRAY[]::TEXT[],
    ADD COLUMN "estimated_input" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "expires_at" TIMESTAMPTZ(3);
ALTER TABLE "model_calls" DROP CONSTRAINT "model_calls_status_check";
ALTER TABLE "model_calls" ADD CONSTRAINT "model_calls_status_check"
    CHECK ("status" IN ('started', 'completed', 'failed', 'cancelled', 'expired'));
CREATE INDEX "model_calls_open" ON "model_calls"("expires_at") WHERE "status" = 'started';

-- CreateTable
CREATE TABLE "quota_windows" (
    "key" TEXT NOT NULL,
    "used" BIGINT NOT NULL DEFAULT 0,
    "reserved" BIGINT NOT NULL DEFAULT 0,
    "bound" BIGINT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "quota_windows_pkey" PRIMARY KEY ("key"),
    CONSTRAINT "quota_windows_check" CHECK ("used" >= 0 AND "reserved" >= 0)
);
CREATE INDEX "quota_windows_updated_at_idx" ON "quota_windows"("updated_at");

-- CreateTable
CREATE TABLE "credit_accounts" (
    "workspace_id" TEXT NOT NULL,
    "plan" TEXT NOT NULL,
    "period" TEXT NOT NULL,
    "unlimited" BOOLEAN NOT NULL DEFAULT false,
    "plan_granted" BIGINT NOT NULL DEFAULT 0,
    "plan_used" BIGINT NOT NULL DEFAULT 0,
    "trial_granted" BIGINT NOT NULL DEFAULT 0,
    "trial_used" BIGINT NOT NULL DEFAULT 0,
    "purchased_granted" BIGINT NOT NULL DEFAULT 0,
    "purchased_used" BIGINT NOT NULL DEFAULT 0,
    "reserved" BIGINT NOT NULL DEFAULT 0,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "credit_accounts_pkey" PRIMARY KEY ("workspace_id"),
    CONSTRAINT "credit_accounts_check" CHECK (
        "plan_granted" >= 0 AND "plan_used" >= 0 AND "reserved" >= 0
        AND "trial_used" BETWEEN 0 AND "trial_granted" AND "purchased_used" BETWEEN 0 AND "purchased_granted"
    )
);

-- CreateTable
CREATE TABLE "credit_entries" (
    "id" BIGSERIAL NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "bucket" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "credit_entries_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "credit_entries_check" CHECK (
        "operation" IN ('model_call', 'container_time', 'grant') AND "bucket" IN ('plan', 'trial', 'purchased')
    )
);
CREATE UNIQUE INDEX "credit_entries_workspace_id_operation_reference_bucket_key"
    ON "credit_entries"("workspace_id", "operation", "reference", "bucket");

-- CreateTable
CREATE TABLE "model_choices" (
    "workspace_id" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "scope_id" TEXT NOT NULL,
    "model" TEXT NOT NULL DEFAULT '',
    "effort" TEXT NOT NULL DEFAULT '',
    "updated_by" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "model_choices_pkey" PRIMARY KEY ("workspace_id", "scope", "scope_id"),
    CONSTRAINT "model_choices_check" CHECK (
        "scope" IN ('workspace', 'person', 'conversation')
        AND "effort" IN ('', 'low', 'medium', 'high', 'xhigh', 'max')
    )
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
CREATE UNIQUE INDEX "outbox_event_id_key" ON "outbox"("event_id");
CREATE UNIQUE INDEX "outbox_sequence_key" ON "outbox"("sequence");
CREATE INDEX "outbox_unpublished" ON "outbox"("id") WHERE "published_at" IS NULL;
