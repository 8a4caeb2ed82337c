-- The settings file among the conversation's files as it was when first seen, and which of its allow rules the person accepted; empty: not seen.
ALTER TABLE "conversation" ADD COLUMN "repository" TEXT NOT NULL DEFAULT '';
