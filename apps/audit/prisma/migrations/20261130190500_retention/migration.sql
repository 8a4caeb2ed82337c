-- What is kept for how long, what is held whatever the policy says, and what pruning leaves. Every table is only added to.

-- The newest row of a workspace holds, else the newest of the operator ("workspace_id" empty). NULL keeps for ever.
CREATE TABLE "retention_policies" (
  "id" BIGSERIAL PRIMARY KEY,
  "workspace_id" TEXT NOT NULL,
  "rows_seconds" BIGINT CHECK ("rows_seconds" > 0),
  "content_seconds" BIGINT CHECK ("content_seconds" > 0),
  "set_by" TEXT NOT NULL,
  "set_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX "retention_policies_workspace_idx" ON "retention_policies" ("workspace_id", "id");

CREATE TABLE "holds" (
  "hold_id" TEXT PRIMARY KEY,
  "workspace_id" TEXT NOT NULL,
  -- workspace, person or conversation; "subject" is the id of the latter two.
  "scope" TEXT NOT NULL CHECK ("scope" IN ('workspace', 'person', 'conversation')),
  "subject" TEXT NOT NULL CHECK (("scope" = 'workspace') = ("subject" = '')),
  -- The first entry under it when it was placed: nothing from there on is pruned while it stands.
  "protects_from" BIGINT NOT NULL CHECK ("protects_from" >= 0),
  "reason" TEXT NOT NULL,
  "placed_by" TEXT NOT NULL,
  "placed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX "holds_workspace_idx" ON "holds" ("workspace_id", "placed_at");
CREATE TABLE "hold_lifts" (
  "hold_id" TEXT PRIMARY KEY REFERENCES "holds" ("hold_id"),
  "reason" TEXT NOT NULL,
  "lifted_by" TEXT NOT NULL,
  "lifted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- Where a log begins since it was pruned: a signed note over the entries before, what the rest is verified from, and the hashes
-- of the last entries before it, which proofs of the first ones after it need.
CREATE TABLE "stubs" (
  "workspace_id" TEXT NOT NULL,
  "size" BIGINT NOT NULL CHECK ("size" > 0),
  "note" TEXT NOT NULL,
  "peaks" BYTEA NOT NULL,
  "leaf_hashes" BYTEA NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY ("workspace_id", "size")
);
-- Numbers of producers whose entries were pruned: no gap, and not to be recorded again when a stream is published anew.
CREATE TABLE "pruned_numbers" (
  "workspace_id" TEXT NOT NULL,
  "size" BIGINT NOT NULL,
  "producer" TEXT NOT NULL,
  "numbers" INT8MULTIRANGE NOT NULL,
  PRIMARY KEY ("workspace_id", "size", "producer")
);

CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "retention_policies" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "holds" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "hold_lifts" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "stubs" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "pruned_numbers" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

-- The only way in which an entry ever goes. It is the owner's and runs for one role, which can do nothing else; it believes its
-- caller neither the policy, nor the age, nor that nothing is held. All of it happens, or nothing.
CREATE FUNCTION "prune_entries"(
  "ws" TEXT, "upto" BIGINT, "stub_note" TEXT, "stub_peaks" BYTEA, "stub_hashes" BYTEA,
  "told_id" TEXT, "told_subject" TEXT, "told_body" TEXT
) RETURNS BIGINT LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  before BIGINT;
  keep BIGINT;
  held BIGINT;
  removed BIGINT;
BEGIN
  -- The lock of the log, which placing a hold takes, too.
  PERFORM pg_advisory_xact_lock(1651663222, hashtext("ws"));
  SELECT COALESCE(MAX("size"), 0) INTO before FROM "stubs" WHERE "workspace_id" = "ws";
  IF "upto" <= before THEN RETURN 0; END IF;
  IF NOT EXISTS (SELECT 1 FROM "checkpoints" WHERE "workspace_id" = "ws" AND "size" = "upto") THEN
    RAISE EXCEPTION 'Nothing was signed at % entries: nothing is pruned.', "upto" USING ERRCODE = 'insufficient_privilege';
  END IF;
  SELECT "rows_seconds" INTO keep FROM "retention_policies"
    WHERE "workspace_id" IN ("ws", '') ORDER BY "workspace_id" = '', "id" DESC LIMIT 1;
  IF keep IS NULL THEN
    RAISE EXCEPTION 'The policy keeps rows for ever: nothing is pruned.' USING ERRCODE = 'insufficient_privilege';
  END IF;
  SELECT MIN("protects_from") INTO held FROM "holds" AS "h"
    WHERE "workspace_id" = "ws" AND NOT EXISTS (SELECT 1 FROM "hold_lifts" AS "l" WHERE "l"."hold_id" = "h"."hold_id");
  IF held < "upto" THEN
    RAISE EXCEPTION 'A legal hold keeps entry % and all after it: nothing is pruned.', held USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF EXISTS (SELECT 1 FROM "entries" WHERE "workspace_id" = "ws" AND "index" < "upto" AND "recorded_at" >= now() - make_interval(secs => keep)) THEN
    RAISE EXCEPTION 'An entry before % is younger than the policy says: nothing is pruned.', "upto" USING ERRCODE = 'insufficient_privilege';
  END IF;
  INSERT INTO "stubs" ("workspace_id", "size", "note", "peaks", "leaf_hashes") VALUES ("ws", "upto", "stub_note", "stub_peaks", "stub_hashes");
  INSERT INTO "pruned_numbers"
    SELECT "ws", "upto", "producer", range_agg(int8range("producer_seq", "producer_seq" + 1))
    FROM "entries" WHERE "workspace_id" = "ws" AND "index" < "upto" GROUP BY "producer";
  PERFORM set_config('bravo.pruning', 'on', true);
  DELETE FROM "entries" WHERE "workspace_id" = "ws" AND "index" < "upto";
  GET DIAGNOSTICS removed = ROW_COUNT;
  PERFORM set_config('bravo.pruning', 'off', true);
  IF removed <> "upto" - before THEN
    RAISE EXCEPTION 'The log has a hole before entry %: it is evidence, and nothing is pruned.', "upto" USING ERRCODE = 'insufficient_privilege';
  END IF;
  INSERT INTO "outbox" ("event_id", "stream", "subject", "body") VALUES ("told_id", 'EVENTS', "told_subject", "told_body");
  RETURN removed;
END;
$$;
REVOKE ALL ON FUNCTION "prune_entries"(TEXT, BIGINT, TEXT, BYTEA, BYTEA, TEXT, TEXT, TEXT) FROM PUBLIC;
