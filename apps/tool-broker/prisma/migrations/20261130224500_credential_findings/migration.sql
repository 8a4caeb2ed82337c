-- What looked like a credential and was asked about: fingerprints under the conversation's key, and no word of it.
CREATE TABLE "credential_finding" (
    "conversation_id" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "tool_call_id" TEXT NOT NULL,
    "released_at" TIMESTAMPTZ(3),

    CONSTRAINT "credential_finding_pkey" PRIMARY KEY ("conversation_id", "fingerprint", "tool_call_id")
);
ALTER TABLE "credential_finding" ADD CONSTRAINT "credential_finding_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversation"("id") ON DELETE CASCADE ON UPDATE CASCADE;
