-- What a person answered to a question of ask_user, sealed; remembered until the conversation ends.
CREATE TABLE "answer" (
    "conversation_id" TEXT NOT NULL,
    "question_digest" TEXT NOT NULL,
    "approval_id" TEXT NOT NULL,
    "content" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "answer_pkey" PRIMARY KEY ("conversation_id", "question_digest")
);

CREATE INDEX "answer_approval_id_idx" ON "answer"("approval_id");

ALTER TABLE "answer" ADD CONSTRAINT "answer_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversation"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "answer" ADD CONSTRAINT "answer_approval_id_fkey" FOREIGN KEY ("approval_id") REFERENCES "approval"("id") ON DELETE CASCADE ON UPDATE CASCADE;
