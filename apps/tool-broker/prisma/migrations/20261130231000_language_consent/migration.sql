-- The one yes per language and conversation to start a language server; gone with the conversation.
CREATE TABLE "language_consent" (
    "conversation_id" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "tool_call_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "language_consent_pkey" PRIMARY KEY ("conversation_id", "language"),
    CONSTRAINT "language_consent_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversation"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
