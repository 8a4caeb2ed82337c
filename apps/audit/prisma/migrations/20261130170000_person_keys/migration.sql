-- The keys that open what was sealed of a person's calls. The private half lies here wrapped, until it is destroyed.
CREATE TABLE "person_keys" (
  "key_id" TEXT PRIMARY KEY,
  "workspace_id" TEXT NOT NULL,
  "user_id" TEXT NOT NULL,
  "public_jwk" TEXT NOT NULL,
  "wrapped_key" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "erased_at" TIMESTAMPTZ(3)
);
CREATE INDEX "person_keys_person_idx" ON "person_keys" ("workspace_id", "user_id", "created_at");

-- A key is destroyed once and for all; nothing else of it changes.
CREATE FUNCTION "only_erases"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' OR NEW."wrapped_key" IS NOT NULL OR NEW."erased_at" IS NULL OR OLD."erased_at" IS NOT NULL
    OR (NEW."key_id", NEW."workspace_id", NEW."user_id", NEW."public_jwk", NEW."created_at")
      IS DISTINCT FROM (OLD."key_id", OLD."workspace_id", OLD."user_id", OLD."public_jwk", OLD."created_at") THEN
    RAISE EXCEPTION 'A key is only ever destroyed: % is refused.', TG_OP USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END;
$$;
CREATE TRIGGER "only_erases" BEFORE UPDATE OR DELETE ON "person_keys" FOR EACH ROW EXECUTE FUNCTION "only_erases"();
CREATE TRIGGER "no_truncate" BEFORE TRUNCATE ON "person_keys" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
