-- A delegate's token names the conversation at the root of its tree, which its tokens are counted to.
ALTER TABLE "agent_tokens" ADD COLUMN "root_conversation_id" TEXT NOT NULL DEFAULT '';
-- Delegates have places of their own.
ALTER TABLE "agent_configs" ADD COLUMN "max_delegates" INTEGER NOT NULL DEFAULT 8;
ALTER TABLE "agent_configs" ADD CONSTRAINT "agent_configs_max_delegates_range" CHECK ("max_delegates" BETWEEN 1 AND 50);
