-- A person's standing answers of one conversation (D4).
CREATE TABLE "grant" (
    "id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "tool_call_id" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "grant_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "grant_source_known" CHECK ("source" IN ('person', 'approval', 'step_up')),
    -- A grant always ends: nobody's mistake makes one that stands for good.
    CONSTRAINT "grant_ends" CHECK ("expires_at" > "created_at" AND "expires_at" <= "created_at" + INTERVAL '8 hours 1 minute')
);

CREATE INDEX "grant_conversation_id_expires_at_idx" ON "grant"("conversation_id", "expires_at");

ALTER TABLE "grant" ADD CONSTRAINT "grant_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversation"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What a grant given with the answer would cover; empty: none is offered.
ALTER TABLE "approval" ADD COLUMN "grant_scope" TEXT NOT NULL DEFAULT '';
-- Of a call that only the mode stood in the way of: the mode it needs and what a grant for it would cover; empty otherwise.
ALTER TABLE "tool_call" ADD COLUMN "step_up" TEXT NOT NULL DEFAULT '';
