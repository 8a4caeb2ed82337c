CREATE TABLE "upload_choice" (
    "workspace_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "lets_read" BOOLEAN NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "upload_choice_pkey" PRIMARY KEY ("workspace_id","user_id")
);
