-- The key of a conversation's content, wrapped; it goes with the conversation, and what it sealed with it.
ALTER TABLE "conversation" ADD COLUMN "content_key" BYTEA;
-- False: written before content was sealed.
ALTER TABLE "slot" ADD COLUMN "sealed" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "slot" ADD COLUMN "tool" TEXT NOT NULL DEFAULT '';
ALTER TABLE "slot" ADD COLUMN "path" TEXT NOT NULL DEFAULT '';
ALTER TABLE "slot" ADD COLUMN "destination" TEXT;
-- What the person was shown, sealed.
ALTER TABLE "approval" ADD COLUMN "preview" BYTEA;
