-- Most of a limit is used: told once for each window.
ALTER TABLE "quota_windows" ADD COLUMN "near_told" BOOLEAN NOT NULL DEFAULT false;
