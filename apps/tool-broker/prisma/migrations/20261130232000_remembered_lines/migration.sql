-- The rule that would let exactly this line through from now on; empty: none is offered.
ALTER TABLE "approval" ADD COLUMN "remember_rule" TEXT NOT NULL DEFAULT '';
