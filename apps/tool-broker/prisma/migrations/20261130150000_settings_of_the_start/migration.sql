-- Conversations from before began while no settings were in force, so they go on under none.
ALTER TABLE "conversation" ADD COLUMN "settings" TEXT NOT NULL DEFAULT '[]';
-- From here on a row says what it began with: a missing word must not read as "no rules".
ALTER TABLE "conversation" ALTER COLUMN "settings" DROP DEFAULT;
