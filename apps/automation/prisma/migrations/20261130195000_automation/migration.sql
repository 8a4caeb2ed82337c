-- What happened, once per event, for the person it concerns; of "user_id" empty every member of the workspace.
CREATE TABLE "activities" (
  "id" BIGSERIAL PRIMARY KEY,
  "event_id" TEXT NOT NULL UNIQUE,
  "workspace_id" TEXT NOT NULL,
  "user_id" TEXT NOT NULL,
  "type" TEXT NOT NULL,
  "text" TEXT NOT NULL,
  "conversation_id" TEXT NOT NULL,
  "actor" TEXT NOT NULL,
  "time" TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX "activities_person_idx" ON "activities" ("workspace_id", "user_id", "id");

-- In which project a conversation is.
CREATE TABLE "places" ("conversation_id" TEXT PRIMARY KEY, "project_id" TEXT NOT NULL);

CREATE TABLE "notifications" (
  "id" BIGSERIAL PRIMARY KEY,
  "event_id" TEXT NOT NULL,
  "workspace_id" TEXT NOT NULL,
  "user_id" TEXT NOT NULL CHECK ("user_id" <> ''),
  "kind" TEXT NOT NULL,
  "text" TEXT NOT NULL,
  "conversation_id" TEXT NOT NULL,
  -- What settles it: an approval that was answered is nothing to be told of any more.
  "subject" TEXT NOT NULL,
  "time" TIMESTAMPTZ(3) NOT NULL,
  "read_at" TIMESTAMPTZ(3),
  UNIQUE ("event_id", "user_id", "kind")
);
CREATE INDEX "notifications_person_idx" ON "notifications" ("workspace_id", "user_id", "id");
CREATE INDEX "notifications_subject_idx" ON "notifications" ("subject") WHERE "subject" <> '';

CREATE TABLE "preferences" (
  "workspace_id" TEXT NOT NULL,
  "user_id" TEXT NOT NULL,
  "document" JSONB NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY ("workspace_id", "user_id")
);

-- What is to be sent, where to and from when on.
CREATE TABLE "deliveries" (
  "notification_id" BIGINT NOT NULL REFERENCES "notifications" ("id"),
  "channel" TEXT NOT NULL,
  "state" TEXT NOT NULL DEFAULT 'pending' CHECK ("state" IN ('pending', 'sent', 'dropped', 'failed')),
  "due_at" TIMESTAMPTZ(3) NOT NULL,
  "tries" INTEGER NOT NULL DEFAULT 0,
  "problem" TEXT NOT NULL DEFAULT '',
  PRIMARY KEY ("notification_id", "channel")
);
CREATE INDEX "deliveries_due_idx" ON "deliveries" ("due_at") WHERE "state" = 'pending';
