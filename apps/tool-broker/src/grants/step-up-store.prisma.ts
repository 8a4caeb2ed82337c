/** Refused calls that a person may still let through; answering one is compare-and-set, with its grant and its work in the same transaction. */
import type { Outbox } from '@bravo/events';
import { Fault } from '@bravo/faults';
import { z } from 'zod';
import { workAfterStepUp } from '../approvals/continue-turn.ts';
import { type BrokerDatabase, isOne } from '../databases/broker-database.prisma.ts';
import type { StepUps } from './answer-step-up.ts';
import { insertGrant } from './grant-store.prisma.ts';

const storedStepUp = z.strictObject({
  requiredMode: z.string(),
  grantScope: z.record(z.string(), z.json()).optional(),
  /** The grant that answered it. */
  grantId: z.string().optional(),
});
export type StoredStepUp = z.output<typeof storedStepUp>;

/** Undefined where the call met no step-up. @throws for a text nobody here wrote. */
export const readStepUp = (text: string): StoredStepUp | undefined =>
  text === '' ? undefined : storedStepUp.parse(JSON.parse(text));

export const createStepUps = (
  database: BrokerDatabase,
  outbox: Pick<Outbox, 'appendEvent' | 'appendWork'>,
): StepUps => ({
  find: async ({ toolCallId, conversationId, userId, workspaceId }) => {
    const row = await database.toolCall.findFirst({
      where: { id: toolCallId, conversationId, userId, workspaceId, status: 'refused' },
    });
    const stored = row === null ? undefined : readStepUp(row.stepUp);
    if (row === null || stored === undefined) return undefined;
    return { tool: row.tool, ...(stored.grantScope === undefined ? {} : { grantScope: stored.grantScope }) };
  },
  answer: (grant) =>
    database.$transaction(async (tx) => {
      const given = await insertGrant(tx, outbox, grant);
      const row = await tx.toolCall.findUniqueOrThrow({ where: { id: grant.toolCallId } });
      const stored = readStepUp(row.stepUp);
      const answered =
        stored !== undefined &&
        stored.grantId === undefined &&
        isOne(
          await tx.toolCall.updateMany({
            where: { id: row.id, stepUp: row.stepUp },
            data: { stepUp: JSON.stringify({ ...stored, grantId: grant.id }) },
          }),
        );
      // Undoes the grant as well: one answer, one grant, one turn.
      if (!answered) throw new Fault('already_decided', 'The call was granted before.');
      await outbox.appendWork(tx, workAfterStepUp(row, grant.ttlSeconds));
      return given;
    }),
});
