-- CreateTable
CREATE TABLE "workspace_leases" (
    "conversation_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "fence" INTEGER NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "head" TEXT NOT NULL,

    CONSTRAINT "workspace_leases_pkey" PRIMARY KEY ("conversation_id")
);
