-- A message that no log could take is kept whole, so that it can be tried again once whatever refused it was put right.
ALTER TABLE "rejections" ADD COLUMN "body" TEXT NOT NULL DEFAULT '';
CREATE TABLE "rejection_retries" (
  "id" BIGSERIAL PRIMARY KEY,
  "rejection_id" BIGINT NOT NULL REFERENCES "rejections" ("id"),
  "outcome" TEXT NOT NULL,
  "retried_by" TEXT NOT NULL,
  "retried_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX "rejection_retries_rejection_idx" ON "rejection_retries" ("rejection_id", "id");
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "rejection_retries" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
-- "Everything done under this grant": a decision names the grant as its rule.
CREATE INDEX "entries_rule_idx" ON "entries" ("workspace_id", "rule", "index") WHERE "rule" <> '';
