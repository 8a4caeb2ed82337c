/**
 * What a conversation's files were after the last effect, by content: a snapshot names its files by their SHA-256, and the head names the
 * snapshot. The head is written last, so that a reader finds a whole one, the old or the new.
 */
import { createHash } from 'node:crypto';
import { Fault } from '@bravo/faults';
import { inventoryEntry, type InventoryEntry } from '@bravo/workspace-files';
import { z } from 'zod';
import type { ObjectStore } from './object-store.port.ts';

export interface SnapshotKey {
  readonly workspaceId: string;
  readonly conversationId: string;
}

export interface Snapshot {
  /** Of what it says: the same id, the same files. */
  readonly id: string;
  readonly entries: readonly InventoryEntry[];
}

export interface Snapshots {
  /** Undefined when the conversation never had one. Throws `not_found` for another workspace's conversation. */
  load(key: SnapshotKey): Promise<Snapshot | undefined>;
  /** Content of one entry, checked against its digest. Throws `internal` when the store lost or changed it. */
  content(key: SnapshotKey, digest: string): Promise<Buffer>;
  /** `read` gives the content of an entry that the store has not got yet. Lasting once it resolves. */
  save(
    key: SnapshotKey,
    entries: readonly InventoryEntry[],
    before: Snapshot | undefined,
    read: (entry: InventoryEntry) => Promise<Buffer>,
  ): Promise<Snapshot>;
  /** Every byte of it. Idempotent. */
  erase(key: SnapshotKey): Promise<void>;
}

const head = z.object({ version: z.literal(1), workspaceId: z.string(), entries: z.array(inventoryEntry) });

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const place = ({ conversationId }: SnapshotKey): string => `conversations/${conversationId}`;
const digestsOf = (entries: readonly InventoryEntry[] = []): Set<string> =>
  new Set(entries.map(({ digest }) => digest).filter((digest) => digest !== ''));

export const createSnapshots = (store: ObjectStore): Snapshots => {
  const contentKey = (key: SnapshotKey, digest: string): string => `${place(key)}/content/${digest}`;
  const load = async (key: SnapshotKey): Promise<Snapshot | undefined> => {
    const bytes = await store.get(`${place(key)}/head`);
    if (bytes === undefined) return undefined;
    const { workspaceId, entries } = head.parse(JSON.parse(bytes.toString('utf8')));
    if (workspaceId !== key.workspaceId) throw new Fault('not_found', 'There is no such conversation.');
    return { id: sha256(bytes), entries };
  };
  return {
    load,
    content: async (key, digest) => {
      const bytes = await store.get(contentKey(key, digest));
      if (bytes !== undefined && sha256(bytes) === digest) return bytes;
      throw new Fault('internal', 'A file of this conversation was lost or changed in the object store.');
    },
    save: async (key, entries, before, read) => {
      const kept = digestsOf(before?.entries);
      const wanted = digestsOf(entries);
      for (const entry of entries) {
        if (entry.digest === '' || kept.has(entry.digest)) continue;
        const bytes = await read(entry);
        if (sha256(bytes) !== entry.digest) throw new Fault('internal', 'A file is not what its digest says.');
        await store.put(contentKey(key, entry.digest), bytes);
        kept.add(entry.digest);
      }
      const text = Buffer.from(JSON.stringify({ version: 1, workspaceId: key.workspaceId, entries }), 'utf8');
      await store.put(`${place(key)}/head`, text);
      // Last: what no head names any more is content that a person may have replaced for a reason.
      for (const digest of digestsOf(before?.entries)) {
        if (!wanted.has(digest)) await store.remove(contentKey(key, digest));
      }
      return { id: sha256(text), entries };
    },
    erase: async (key) => {
      if ((await load(key)) === undefined) return;
      await store.remove(`${place(key)}/head`);
      for (const object of await store.list(`${place(key)}/`)) await store.remove(object);
    },
  };
};
