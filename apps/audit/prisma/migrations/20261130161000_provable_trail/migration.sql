-- The log becomes partitioned by the month it was recorded in, gets what searching needs, and what proofs are made from.

DROP INDEX "entries_event_id_key";
DROP INDEX "entries_workspace_id_conversation_id_index_idx";
DROP INDEX "entries_workspace_id_type_index_idx";
DROP INDEX "entries_workspace_id_actor_index_idx";
DROP INDEX "entries_producer_producer_seq_idx";
ALTER TABLE "entries" RENAME CONSTRAINT "entries_pkey" TO "entries_whole_pkey";
ALTER TABLE "entries" RENAME TO "entries_whole";

-- That an index is given once is kept by the lock of the log and the counter in "logs", that an event is taken once by looking
-- under that lock: a partitioned table can hold neither as a constraint.
CREATE TABLE "entries" (
  "workspace_id" TEXT NOT NULL,
  "index" BIGINT NOT NULL CHECK ("index" >= 0),
  "leaf" BYTEA NOT NULL,
  "leaf_hash" BYTEA NOT NULL CHECK (octet_length("leaf_hash") = 32),
  "event_id" TEXT NOT NULL,
  "type" TEXT NOT NULL,
  "actor" TEXT NOT NULL,
  "on_behalf_of" TEXT NOT NULL,
  "conversation_id" TEXT NOT NULL,
  "producer" TEXT NOT NULL,
  "producer_seq" BIGINT NOT NULL,
  "time" TIMESTAMPTZ(3) NOT NULL,
  "recorded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "tool" TEXT NOT NULL DEFAULT '',
  "tool_call_id" TEXT NOT NULL DEFAULT '',
  "decision" TEXT NOT NULL DEFAULT '',
  "rule" TEXT NOT NULL DEFAULT '',
  PRIMARY KEY ("workspace_id", "index", "recorded_at")
) PARTITION BY RANGE ("recorded_at");
CREATE INDEX "entries_event_id_idx" ON "entries" ("event_id");
CREATE INDEX "entries_conversation_idx" ON "entries" ("workspace_id", "conversation_id", "index");
CREATE INDEX "entries_type_idx" ON "entries" ("workspace_id", "type", "index");
CREATE INDEX "entries_actor_idx" ON "entries" ("workspace_id", "actor", "index");
CREATE INDEX "entries_on_behalf_of_idx" ON "entries" ("workspace_id", "on_behalf_of", "index") WHERE "on_behalf_of" <> '';
CREATE INDEX "entries_tool_call_idx" ON "entries" ("workspace_id", "tool_call_id", "index") WHERE "tool_call_id" <> '';
CREATE INDEX "entries_tool_idx" ON "entries" ("workspace_id", "tool", "index") WHERE "tool" <> '';
CREATE INDEX "entries_decision_idx" ON "entries" ("workspace_id", "decision", "index") WHERE "decision" <> '';
CREATE INDEX "entries_time_idx" ON "entries" ("workspace_id", "time");
CREATE INDEX "entries_producer_idx" ON "entries" ("producer", "producer_seq");

-- Of each row, because a statement that names a partition would pass by a trigger on the statement.
CREATE FUNCTION "refuse_row_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('bravo.pruning', true) = 'on' THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'The table % is append-only: % is refused.', TG_TABLE_NAME, TG_OP USING ERRCODE = 'insufficient_privilege';
END;
$$;
CREATE TRIGGER "append_only_rows" BEFORE UPDATE OR DELETE ON "entries" FOR EACH ROW EXECUTE FUNCTION "refuse_row_change"();
CREATE TRIGGER "append_only" BEFORE UPDATE OR TRUNCATE ON "entries" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

-- The service owns nothing, so it cannot make next month's partition; this function, which is the owner's, makes that and nothing else.
CREATE FUNCTION "ensure_entries_month"("at" TIMESTAMPTZ) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  first TIMESTAMPTZ := date_trunc('month', "at" AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
  following TIMESTAMPTZ := (date_trunc('month', "at" AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC';
  part TEXT := 'entries_' || to_char("at" AT TIME ZONE 'UTC', 'YYYY_MM');
BEGIN
  IF to_regclass(part) IS NOT NULL THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(hashtext('bravo entries month'));
  IF to_regclass(part) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I PARTITION OF "entries" FOR VALUES FROM (%L) TO (%L)', part, first, following);
  EXECUTE format('CREATE TRIGGER "append_only_whole" BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"()', part);
END;
$$;

SELECT "ensure_entries_month"("month") FROM (SELECT DISTINCT date_trunc('month', "recorded_at") AS "month" FROM "entries_whole") AS "months";
SELECT "ensure_entries_month"(now()), "ensure_entries_month"(now() + interval '1 month');
INSERT INTO "entries"
SELECT "workspace_id", "index", "leaf", "leaf_hash", "event_id", "type", "actor", "on_behalf_of", "conversation_id", "producer", "producer_seq", "time", "recorded_at",
  COALESCE("event" -> 'data' ->> 'tool', ''), COALESCE("event" -> 'data' ->> 'tool_call_id', ''),
  COALESCE("event" -> 'data' ->> 'effect', ''), COALESCE("event" -> 'data' ->> 'rule', '')
FROM (SELECT *, convert_from("leaf", 'UTF8')::jsonb AS "event" FROM "entries_whole") AS "old";
DROP TABLE "entries_whole";

-- A batch of entries moves the size by as many.
CREATE OR REPLACE FUNCTION "refuse_shrinking"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' OR NEW."workspace_id" <> OLD."workspace_id" OR NEW."size" <= OLD."size" THEN
    RAISE EXCEPTION 'The size of a log only grows: % is refused.', TG_OP USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END;
$$;

-- A new key signs a size again that the old one had signed.
ALTER TABLE "checkpoints" ADD COLUMN "key_id" TEXT NOT NULL DEFAULT '';
ALTER TABLE "checkpoints" DROP CONSTRAINT "checkpoints_pkey", ADD PRIMARY KEY ("workspace_id", "size", "key_id");

-- Roots of perfect subtrees of 2^height entries, from the left: what proofs are made from without reading the whole log. Proofs are
-- checked against signed roots, so a changed node spoils a proof and vouches for nothing.
CREATE TABLE "nodes" (
  "workspace_id" TEXT NOT NULL,
  "height" SMALLINT NOT NULL CHECK ("height" > 0),
  "position" BIGINT NOT NULL CHECK ("position" >= 0),
  "hash" BYTEA NOT NULL CHECK (octet_length("hash") = 32),
  PRIMARY KEY ("workspace_id", "height", "position")
);
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "nodes" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

-- Which checkpoint each place outside has taken, and what it answered (a witness: its signature line).
CREATE TABLE "deliveries" (
  "sink" TEXT NOT NULL,
  "workspace_id" TEXT NOT NULL,
  "size" BIGINT NOT NULL CHECK ("size" > 0),
  "answer" TEXT NOT NULL DEFAULT '',
  "delivered_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY ("workspace_id", "sink", "size")
);
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "deliveries" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

-- What an operator must look at. `subject` makes one alert of what is found again and again.
CREATE TABLE "alerts" (
  "id" BIGSERIAL PRIMARY KEY,
  "kind" TEXT NOT NULL,
  "subject" TEXT NOT NULL,
  "workspace_id" TEXT NOT NULL DEFAULT '',
  "detail" TEXT NOT NULL,
  "raised_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX "alerts_kind_subject_key" ON "alerts" ("kind", "subject");
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "alerts" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
