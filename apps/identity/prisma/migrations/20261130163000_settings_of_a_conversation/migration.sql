-- The fifth layer (D12): a person's settings for one conversation. Empty on the other layers.
ALTER TABLE "settings_documents" ADD COLUMN "conversation_id" TEXT NOT NULL DEFAULT '';
ALTER TABLE "settings_documents" DROP CONSTRAINT "settings_documents_pkey";
ALTER TABLE "settings_documents" ADD CONSTRAINT "settings_documents_pkey" PRIMARY KEY ("layer", "workspace_id", "user_id", "conversation_id");
ALTER TABLE "settings_documents" DROP CONSTRAINT "settings_documents_owner";
ALTER TABLE "settings_documents" ADD CONSTRAINT "settings_documents_owner" CHECK (
    ("layer" = 'platform' AND "workspace_id" = '' AND "user_id" = '' AND "conversation_id" = '')
    OR ("layer" = 'workspace' AND "workspace_id" <> '' AND "user_id" = '' AND "conversation_id" = '')
    OR ("layer" = 'user' AND "workspace_id" <> '' AND "user_id" <> '' AND "conversation_id" = '')
    OR ("layer" = 'conversation' AND "workspace_id" <> '' AND "user_id" <> '' AND "conversation_id" <> '')
);
