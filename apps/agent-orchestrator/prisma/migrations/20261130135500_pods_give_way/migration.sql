-- Set when another conversation of the workspace needs the pod's place.
ALTER TABLE "pods" ADD COLUMN "wanted_at" TIMESTAMPTZ(3);
