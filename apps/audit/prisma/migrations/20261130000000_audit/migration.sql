CREATE TABLE "logs" (
  "workspace_id" TEXT PRIMARY KEY,
  "size" BIGINT NOT NULL CHECK ("size" >= 0)
);

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
  PRIMARY KEY ("workspace_id", "index")
);
CREATE UNIQUE INDEX "entries_event_id_key" ON "entries" ("event_id");
CREATE INDEX "entries_workspace_id_conversation_id_index_idx" ON "entries" ("workspace_id", "conversation_id", "index");
CREATE INDEX "entries_workspace_id_type_index_idx" ON "entries" ("workspace_id", "type", "index");
CREATE INDEX "entries_workspace_id_actor_index_idx" ON "entries" ("workspace_id", "actor", "index");
CREATE INDEX "entries_producer_producer_seq_idx" ON "entries" ("producer", "producer_seq");

CREATE TABLE "checkpoints" (
  "workspace_id" TEXT NOT NULL,
  "size" BIGINT NOT NULL CHECK ("size" > 0),
  "note" TEXT NOT NULL,
  "peaks" BYTEA NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY ("workspace_id", "size")
);

CREATE TABLE "rejections" (
  "id" BIGSERIAL PRIMARY KEY,
  "stream_sequence" BIGINT NOT NULL,
  "subject" TEXT NOT NULL,
  "body_digest" TEXT NOT NULL,
  "reason" TEXT NOT NULL,
  "recorded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX "rejections_stream_sequence_body_digest_key" ON "rejections" ("stream_sequence", "body_digest");

-- Keeps our own mistakes out. Who owns the database can drop a trigger; against them stand the hashes and the signed checkpoints.
CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The table % is append-only: % is refused.', TG_TABLE_NAME, TG_OP USING ERRCODE = 'insufficient_privilege';
END;
$$;

CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "entries" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "checkpoints" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "rejections" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

-- A log's size goes up by one and never down, whatever statement asks.
CREATE FUNCTION "refuse_shrinking"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' OR NEW."workspace_id" <> OLD."workspace_id" OR NEW."size" <> OLD."size" + 1 THEN
    RAISE EXCEPTION 'The size of a log only grows by one: % is refused.', TG_OP USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END;
$$;
CREATE TRIGGER "only_grows" BEFORE UPDATE OR DELETE ON "logs" FOR EACH ROW EXECUTE FUNCTION "refuse_shrinking"();
CREATE TRIGGER "no_truncate" BEFORE TRUNCATE ON "logs" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
