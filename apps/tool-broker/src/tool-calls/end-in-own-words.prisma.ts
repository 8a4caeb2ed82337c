/** Ends a call that had no effect. Nothing came back, so the row and what the stream is told both carry the label of the broker's own words. */
import { TRUSTED_PUBLIC } from '@bravo/policy';
import type { BrokerTransaction } from '../databases/broker-database.prisma.ts';
import { addNotices } from '../turn-notices/turn-notices.prisma.ts';
import type { TurnNotice } from '../turn-notices/turn-notices.ts';
import type { ToolCallRow } from './tool-call-rows.prisma.ts';

export type NoEffect = 'refused' | 'denied' | 'expired';

/** Columns of a call that ended so. */
export const ownWords = (status: NoEffect, output: string) => ({
  status,
  output,
  isError: true,
  finishedAt: new Date(),
  ...TRUSTED_PUBLIC,
});

export const ownWordsNotice = (id: string, status: NoEffect, output: string): TurnNotice => ({
  event: 'tool_call_end',
  data: { id, status, output, duration_ms: 0, label: TRUSTED_PUBLIC, refs: [] },
});

/** Of a call that waits for a person. */
export const endInOwnWords = async (
  tx: BrokerTransaction,
  row: Pick<ToolCallRow, 'id' | 'conversationId' | 'workspaceId'>,
  status: NoEffect,
  output: string,
): Promise<void> => {
  await tx.toolCall.updateMany({
    where: { id: row.id, status: 'needs_approval' },
    data: ownWords(status, output),
  });
  await addNotices(tx, row.conversationId, row.workspaceId, [ownWordsNotice(row.id, status, output)]);
};
