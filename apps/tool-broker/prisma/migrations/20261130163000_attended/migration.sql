-- Every conversation so far was begun by a person who looks on; from here on it is said each time, and what is not said is not attended.
ALTER TABLE "conversation" ADD COLUMN "attended" BOOLEAN NOT NULL DEFAULT true;
ALTER TABLE "conversation" ALTER COLUMN "attended" SET DEFAULT false;
