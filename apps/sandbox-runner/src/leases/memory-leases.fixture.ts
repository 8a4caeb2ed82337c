/** Leases in memory, for specs whose runners are in one process; held to the same contract as the real ones. */
import { Fault } from '@bravo/faults';
import type { LeaseKey, LeaseStore } from './lease-store.port.ts';

interface Row {
  readonly workspaceId: string;
  holder: string;
  fence: number;
  expiresAt: number;
  head: string;
}

/** Several runners share `rows`. */
export const memoryLeases = (rows: Map<string, Row> = new Map(), holder = 'runner'): LeaseStore => {
  const rowOf = ({ workspaceId, conversationId }: LeaseKey): Row | undefined => {
    const row = rows.get(conversationId);
    if (row !== undefined && row.workspaceId !== workspaceId)
      throw new Fault('not_found', 'There is no such conversation.');
    return row;
  };
  const held = (key: LeaseKey, fence: number): Row | undefined => {
    const row = rowOf(key);
    return row?.holder === holder && row.fence === fence ? row : undefined;
  };
  return {
    head: async (key) => rowOf(key)?.head,
    take: async (key, ttlMs, first) => {
      const row = rowOf(key) ?? { workspaceId: key.workspaceId, holder: '', fence: 0, expiresAt: 0, head: first };
      if (!['', holder].includes(row.holder) && row.expiresAt >= Date.now()) return undefined;
      rows.set(key.conversationId, row);
      Object.assign(row, { holder, fence: row.fence + 1, expiresAt: Date.now() + ttlMs });
      return { fence: row.fence, head: row.head };
    },
    renew: async (key, { fence }, ttlMs) => {
      const row = held(key, fence);
      if (row !== undefined) row.expiresAt = Date.now() + ttlMs;
      return row !== undefined;
    },
    commit: async (key, { fence }, head) => {
      const row = held(key, fence);
      if (row !== undefined) row.head = head;
      return row !== undefined;
    },
    release: async (key, { fence }) => {
      const row = held(key, fence);
      if (row !== undefined) row.holder = '';
    },
  };
};
