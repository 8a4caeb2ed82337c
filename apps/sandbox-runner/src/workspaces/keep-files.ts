/** The files in a toolbox to a snapshot and back: what is kept counts only where the lease was not lost. */
import { Fault } from '@bravo/faults';
import type { InventoryEntry } from '@bravo/workspace-files';
import type { Held } from '../leases/hold-workspace.ts';
import type { Snapshot, SnapshotKey, Snapshots } from '../snapshots/snapshots.ts';
import { refuseBeyondLimits, settleEntries } from './program-changes.ts';
import type { Toolbox } from './toolbox.port.ts';

export interface KeptFiles {
  readonly key: SnapshotKey;
  readonly toolbox: Toolbox;
  /** What was kept last; undefined for no files. */
  snapshot: Snapshot | undefined;
  /** Programs that work on the files just now. */
  programs: number;
}

export const LOST_LEASE =
  'Another runner took the files of this conversation over, so nothing was changed. Try again in a moment.';

/** Throws `unavailable` when the lease was lost; then what was kept counts for nobody and is removed again. */
export const keepFiles = async (snapshots: Snapshots, files: KeptFiles, held: Held): Promise<void> => {
  const { key, toolbox, snapshot: before } = files;
  const { answer } = await toolbox.ask('inventory', {});
  refuseBeyondLimits(answer.entries);
  const contents = new Map<string, Buffer>();
  const entries = files.programs === 0 ? answer.entries : await settleEntries(files, answer.entries, contents);
  const read = async ({ area, path, digest }: InventoryEntry): Promise<Buffer> =>
    contents.get(digest) ?? (await toolbox.ask('content', { area, path, digest })).bytes;
  const snapshot = await snapshots.prepare(key, entries, before, held.fence, read);
  if (!(await held.commit(snapshot.id))) {
    await snapshots.drop(key, snapshot, before).catch(() => undefined);
    throw new Fault('unavailable', LOST_LEASE);
  }
  files.snapshot = snapshot;
  // Last: what no snapshot names any more is content that a person may have replaced for a reason.
  if (before !== undefined) await snapshots.drop(key, before, snapshot);
};

/** Into an empty toolbox. Throws `internal` when the store lost something of it. */
export const restoreFiles = async (
  snapshots: Snapshots,
  key: SnapshotKey,
  head: string,
  toolbox: Toolbox,
): Promise<Snapshot> => {
  const snapshot = await snapshots.load(key, head);
  for (const entry of snapshot.entries) {
    const content = entry.digest === '' ? undefined : await snapshots.content(key, snapshot, entry.digest);
    await toolbox.ask('restore', entry, content);
  }
  return snapshot;
};
