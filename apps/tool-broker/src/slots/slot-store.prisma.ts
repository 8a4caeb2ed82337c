/** Slots in Postgres: written once, sealed, never changed, gone with the conversation. */
import { readLabel } from '@bravo/policy';
import type { BrokerDatabase } from '../databases/broker-database.prisma.ts';
import { findKey } from './content-keys.prisma.ts';
import type { ContentVault } from './content-vault.ts';
import type { SlotRef, SlotStore } from './slot.ts';

const REF = {
  number: true,
  origin: true,
  name: true,
  kind: true,
  lines: true,
  bytes: true,
  integrity: true,
  confidentiality: true,
  tool: true,
  path: true,
  destination: true,
} as const;

interface RefRow {
  number: number;
  origin: string;
  name: string;
  kind: string;
  lines: number;
  bytes: bigint;
  integrity: string;
  confidentiality: string;
  tool: string;
  path: string;
  destination: string | null;
}

export const createSlotStore = (database: BrokerDatabase, vault: ContentVault): SlotStore => ({
  reserve: async (conversationId, count) => {
    const { nextSlot } = await database.conversation.update({
      where: { id: conversationId },
      data: { nextSlot: { increment: count } },
      select: { nextSlot: true },
    });
    return nextSlot - count;
  },
  find: async (conversationId, number) => {
    const row = await database.slot.findUnique({ where: { conversationId_number: { conversationId, number } } });
    if (row === null) return undefined;
    const key = row.sealed ? await findKey(database, conversationId) : null;
    // Without its key it is gone, whatever is left of the row.
    if (row.sealed && key === null) return undefined;
    const content =
      key === null ? row.content : vault.open(key, { conversationId, name: `slot:${number}` }, row.content);
    return { ...toRef(row), toolCallId: row.toolCallId, content };
  },
  refs: async (conversationId, numbers) => {
    if (numbers.length === 0) return [];
    const rows = await database.slot.findMany({
      where: { conversationId, number: { in: [...numbers] } },
      select: REF,
      orderBy: { number: 'asc' },
    });
    return rows.map(toRef);
  },
});

const toRef = (row: RefRow): SlotRef => ({
  number: row.number,
  origin: row.origin,
  name: row.name,
  kind: row.kind,
  lines: row.lines,
  bytes: Number(row.bytes),
  label: readLabel(row),
  tool: row.tool,
  path: row.path,
  ...(row.destination === null ? {} : { destination: row.destination === '' ? null : row.destination }),
});
