/** What programs did to the files of a conversation, told from two inventories; the words of a toolbox, so a path is only ever a name here. */
import { Fault, isFault } from '@bravo/faults';
import { type InventoryEntry, WORKSPACE_LIMITS } from '@bravo/workspace-files';
import type { Snapshot } from '../snapshots/snapshots.ts';
import type { Toolbox } from './toolbox.port.ts';

const filesOf = (snapshot: Snapshot | undefined): ReadonlyMap<string, InventoryEntry> =>
  new Map((snapshot?.entries ?? []).filter(({ area }) => area === 'files').map((entry) => [entry.path, entry]));

const shapeOf = ({ kind, digest, mode, target }: InventoryEntry): string =>
  JSON.stringify(kind === 'directory' ? [kind] : [kind, digest, mode, target]);

/** Paths whose content, kind or mode is another, the added and the removed among them. */
export const changedPaths = (before: Snapshot | undefined, after: Snapshot | undefined): readonly string[] => {
  const [old, now] = [filesOf(before), filesOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].filter((path) => {
    const [was, is] = [old.get(path), now.get(path)];
    return was === undefined || is === undefined || shapeOf(was) !== shapeOf(is);
  });
};

/** The filesystem lets programs have twice as much, because what is on its way in lies there too. */
export const refuseBeyondLimits = (entries: readonly InventoryEntry[]): void => {
  const files = entries.filter(({ area }) => area === 'files');
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes <= WORKSPACE_LIMITS.bytes && files.length <= WORKSPACE_LIMITS.entries) return;
  throw new Fault(
    'resource_exhausted',
    `Programs left more than the ${WORKSPACE_LIMITS.bytes / 1024 / 1024} MiB in ${WORKSPACE_LIMITS.entries} entries a conversation may hold, so what they left is gone.`,
  );
};

/**
 * While programs work on them, files change between being listed and being read. Such a file is kept as it was last kept, or left
 * out where it never was; the end of the programs looks at it again.
 */
export const settleEntries = async (
  { toolbox, snapshot }: { readonly toolbox: Toolbox; readonly snapshot: Snapshot | undefined },
  entries: readonly InventoryEntry[],
  contents: Map<string, Buffer>,
): Promise<InventoryEntry[]> => {
  const kept = new Set((snapshot?.entries ?? []).map(({ digest }) => digest));
  const old = filesOf(snapshot);
  const settled: InventoryEntry[] = [];
  for (const entry of entries) {
    const { area, path, digest } = entry;
    if (digest === '' || kept.has(digest) || contents.has(digest)) {
      settled.push(entry);
      continue;
    }
    try {
      contents.set(digest, (await toolbox.ask('content', { area, path, digest })).bytes);
      settled.push(entry);
    } catch (error) {
      if (!isFault(error) || !['version_conflict', 'not_found', 'invalid_argument'].includes(error.code)) throw error;
      const before = old.get(path);
      if (before !== undefined) settled.push(before);
    }
  }
  return settled;
};
