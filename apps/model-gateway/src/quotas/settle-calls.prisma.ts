/**
 * Settles calls, and where one comes near a limit tells the trail so in the same transaction: once for each window, which is
 * one limit over one span of time. It goes by what was used; what is only held mostly comes back, and a notice of it would be untrue.
 */
import { type EventDraft, type Outbox, serviceActor } from '@bravo/events';
import type { Database } from '../databases/database.prisma.ts';
import { isNear, type NearWindow, type SettledCall, settleStatement } from './call-statements.prisma.ts';

export type SettleCalls = (settled: readonly [SettledCall, ...SettledCall[]], at: Date) => Promise<void>;

export const createSettleCalls =
  (database: Database, outbox: Outbox): SettleCalls =>
  async (settled, at) => {
    try {
      await database.$queryRaw(settleStatement(settled, at, 'fails'));
    } catch (error) {
      if (!isNear(error)) throw error;
      await database.$transaction(async (tx) => {
        const near = await tx.$queryRaw<NearWindow[]>(settleStatement(settled, at, 'tells'));
        if (near.length === 0) return;
        await tx.quotaWindow.updateMany({
          where: { key: { in: near.map(({ key }) => key) } },
          data: { nearTold: true },
        });
        await outbox.appendEvents(
          tx,
          near.map((window) => told(window, settled)),
        );
      });
    }
  };

/** It is told of the person whose call came near it. */
function told({ key, used, bound }: NearWindow, settled: readonly SettledCall[]): EventDraft<'agent.budget.near'> {
  const call = settled.map((each) => each.call).findLast(({ windows }) => windows.some((window) => window.key === key));
  if (!call) throw new Error(`No settled call counts in ${key}.`);
  const limit = key.split(':', 1)[0] ?? '';
  return {
    type: 'agent.budget.near',
    workspace: call.workspaceId,
    // What is a person's or everybody's is no matter of the conversation that happened to come near it.
    ...(/^(conversation|tree)/.test(limit) ? { conversation: call.conversationId } : {}),
    actor: serviceActor('models'),
    onBehalfOf: call.userId,
    data: { limit, percent: Number((used * 100n) / bound) },
  };
}
