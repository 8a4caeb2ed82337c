-- Which skills and agent definitions among a conversation's files its person let hold: each by the digest of its text.
CREATE TABLE "accepted_definition" (
    "conversation_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "accepted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accepted_definition_pkey" PRIMARY KEY ("conversation_id", "kind", "name", "digest")
);
ALTER TABLE "accepted_definition" ADD CONSTRAINT "accepted_definition_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversation"("id") ON DELETE CASCADE ON UPDATE CASCADE;
