-- Skills and agent definitions of a workspace and of a person in it.
CREATE TABLE "definitions" (
    "kind" TEXT NOT NULL,
    "layer" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "updated_by" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "definitions_pkey" PRIMARY KEY ("kind", "layer", "workspace_id", "user_id", "name"),
    CONSTRAINT "definitions_kind" CHECK ("kind" IN ('skill', 'agent')),
    CONSTRAINT "definitions_owner" CHECK (
        ("layer" = 'workspace' AND "user_id" = '') OR ("layer" = 'user' AND "user_id" <> '')
    )
);
CREATE INDEX "definitions_workspace_id_kind_name_idx" ON "definitions"("workspace_id", "kind", "name");
ALTER TABLE "definitions" ADD CONSTRAINT "definitions_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
