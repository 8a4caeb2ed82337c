/**
 * What a conversation's files were after an effect, by content: a snapshot is an object that names its files by their SHA-256, and the
 * lease of the conversation names the snapshot that counts. Everything of a snapshot is kept before it counts, under names that no
 * other holder of the lease writes or removes, so that a process that lost it can spoil nothing.
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
  /** Of what it says. */
  readonly id: string;
  readonly entries: readonly InventoryEntry[];
  /** Name of the object of each content, by digest. */
  readonly places: ReadonlyMap<string, string>;
}

export interface Snapshots {
  /** By its name. Throws `not_found` for another workspace's conversation, `internal` when the store lost or changed it. */
  load(key: SnapshotKey, id: string): Promise<Snapshot>;
  /** Name of the snapshot of a conversation from before there were leases; '' for none. */
  loadOld(key: SnapshotKey): Promise<string>;
  /** Content of one entry, checked against its digest. Throws `internal` when the store lost or changed it. */
  content(key: SnapshotKey, snapshot: Snapshot, digest: string): Promise<Buffer>;
  /**
   * Lasting once it resolves, and counting for nobody yet. `read` gives the content of an entry that `before` has not got.
   * @param fence of the lease it is made under.
   */
  prepare(
    key: SnapshotKey,
    entries: readonly InventoryEntry[],
    before: Snapshot | undefined,
    fence: number,
    read: (entry: InventoryEntry) => Promise<Buffer>,
  ): Promise<Snapshot>;
  /** Removes what only `dropped` holds: the one before, when the other counts now; the prepared one, when it never will. */
  drop(key: SnapshotKey, dropped: Snapshot, kept: Snapshot | undefined): Promise<void>;
  /** Every byte of the conversation. Idempotent. */
  erase(key: SnapshotKey): Promise<void>;
}

const head = z.object({
  version: z.union([z.literal(1), z.literal(2)]),
  workspaceId: z.string(),
  fence: z.number().int().min(0).default(0),
  entries: z.array(inventoryEntry),
  places: z.record(z.string(), z.string()).default({}),
});

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const base = ({ conversationId }: SnapshotKey): string => `conversations/${conversationId}`;
const OLD_HEAD = 'head';
const snapshotKey = (key: SnapshotKey, id: string): string =>
  id === OLD_HEAD ? `${base(key)}/head` : `${base(key)}/snapshots/${id}`;
const contentKey = (key: SnapshotKey, place: string): string => `${base(key)}/content/${place}`;

const LOST = 'The files of this conversation were lost or changed in the object store.';

export const createSnapshots = (store: ObjectStore): Snapshots => ({
  load: async (key, id) => {
    const bytes = await store.get(snapshotKey(key, id));
    if (bytes === undefined || (id !== OLD_HEAD && sha256(bytes) !== id)) throw new Fault('internal', LOST);
    const { workspaceId, entries, places } = head.parse(JSON.parse(bytes.toString('utf8')));
    if (workspaceId !== key.workspaceId) throw new Fault('not_found', 'There is no such conversation.');
    return { id, entries, places: new Map(Object.entries(places)) };
  },
  loadOld: async (key) => {
    const bytes = await store.get(snapshotKey(key, OLD_HEAD));
    if (bytes === undefined) return '';
    const { workspaceId } = head.parse(JSON.parse(bytes.toString('utf8')));
    if (workspaceId !== key.workspaceId) throw new Fault('not_found', 'There is no such conversation.');
    return OLD_HEAD;
  },
  content: async (key, { places }, digest) => {
    const bytes = await store.get(contentKey(key, places.get(digest) ?? digest));
    if (bytes !== undefined && sha256(bytes) === digest) return bytes;
    throw new Fault('internal', LOST);
  },
  prepare: async (key, entries, before, fence, read) => {
    const places = new Map<string, string>();
    const known = new Map(before?.entries.map(({ digest }) => [digest, before.places.get(digest) ?? digest]));
    for (const entry of entries) {
      const { digest } = entry;
      if (digest === '' || places.has(digest)) continue;
      const there = known.get(digest);
      if (there === undefined) {
        const bytes = await read(entry);
        if (sha256(bytes) !== digest) throw new Fault('internal', 'A file is not what its digest says.');
        await store.put(contentKey(key, `${digest}-${fence}`), bytes);
      }
      places.set(digest, there ?? `${digest}-${fence}`);
    }
    const { workspaceId } = key;
    const text = JSON.stringify({ version: 2, workspaceId, fence, entries, places: Object.fromEntries(places) });
    const bytes = Buffer.from(text, 'utf8');
    const id = sha256(bytes);
    await store.put(snapshotKey(key, id), bytes);
    return { id, entries, places };
  },
  drop: async (key, dropped, kept) => {
    if (dropped.id === kept?.id) return;
    const placesOf = ({ entries, places }: Snapshot): string[] =>
      entries.flatMap(({ digest }) => (digest === '' ? [] : [places.get(digest) ?? digest]));
    const needed = new Set(kept === undefined ? [] : placesOf(kept));
    await store.remove(snapshotKey(key, dropped.id));
    for (const place of new Set(placesOf(dropped))) if (!needed.has(place)) await store.remove(contentKey(key, place));
  },
  erase: async (key) => {
    for (const object of await store.list(`${base(key)}/`)) await store.remove(object);
  },
});
