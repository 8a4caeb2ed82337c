-- A person's webhook is signed with a secret that is made of the key of the service and this.
ALTER TABLE "preferences" ADD COLUMN "webhook_salt" TEXT NOT NULL DEFAULT '';
