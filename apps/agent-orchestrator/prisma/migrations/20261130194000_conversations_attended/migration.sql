-- What was said when a conversation began, to be shown. Of older ones nobody kept it here; the broker, which decides by it, has its own.
ALTER TABLE "conversations" ADD COLUMN "attended" BOOLEAN NOT NULL DEFAULT true;
ALTER TABLE "conversations" ALTER COLUMN "attended" DROP DEFAULT;
