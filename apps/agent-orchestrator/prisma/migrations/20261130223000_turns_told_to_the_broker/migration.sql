ALTER TABLE "turns" ADD COLUMN "work_id" TEXT NOT NULL DEFAULT '', ADD COLUMN "broker_told_at" TIMESTAMPTZ(3);
-- Nothing was scheduled when these ended.
UPDATE "turns" SET "broker_told_at" = now() WHERE "finished_at" IS NOT NULL;
CREATE INDEX "turns_untold" ON "turns" ("seq") WHERE "finished_at" IS NOT NULL AND "broker_told_at" IS NULL;
