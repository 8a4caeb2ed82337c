-- A turn is driven after the request that asked for it has ended, also by another process: its trace goes with it.
ALTER TABLE "turns" ADD COLUMN "traceparent" TEXT NOT NULL DEFAULT '';
