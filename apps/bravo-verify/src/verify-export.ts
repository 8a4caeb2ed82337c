/** Checks an export against its checkpoint and against the checkpoints that were kept elsewhere. Guarantees that the first thing wrong is named; it must never call whole what it did not check. */
import { CompactRange, isConsistent, leafHash, rootFromInclusion } from './merkle.ts';
import { type Checkpoint, readCheckpoint, type VerifierKey } from './note.ts';
import { watchHolds } from './watch-holds.ts';
import { type ExportedEntry, type ExportHead, type ExportLine } from './read-export.ts';

export interface Trust {
  /** That may sign the newest checkpoint. */
  readonly current: readonly VerifierKey[];
  /** That may have signed kept checkpoints of the time before. */
  readonly retired: readonly VerifierKey[];
  /** Each must have cosigned. */
  readonly witnesses: readonly VerifierKey[];
}

export interface KeptNote {
  /** Where it was read from, for the report. */
  readonly source: string;
  readonly note: string;
}

export interface Report {
  readonly ok: boolean;
  readonly entries: number;
  /** Entries under the export's checkpoint. */
  readonly size: number;
  readonly first: number;
  /** Whether every entry from `first` to `size` was there. */
  readonly whole: boolean;
  /** -1 where no single entry is to blame. */
  readonly firstBadIndex: number;
  readonly problem: string;
  /** Kept checkpoints that were compared, by size. */
  readonly compared: readonly number[];
  /** What this run cannot tell. */
  readonly notes: readonly string[];
}

class Finding extends Error {
  readonly index: number;
  constructor(problem: string, index = -1) {
    super(problem);
    this.index = index;
  }
}

export interface VerifyOptions {
  readonly trust: Trust;
  readonly kept: readonly KeptNote[];
  /** Whether the readable columns of a format are compared with the event. */
  readonly deep: boolean;
}

export const verifyExport = async (lines: AsyncIterable<ExportLine>, options: VerifyOptions): Promise<Report> => {
  const state = { entries: 0, size: 0, first: 0, whole: false, compared: [] as number[], notes: [] as string[] };
  const report = (firstBadIndex: number, problem: string): Report => ({
    ok: problem === '',
    firstBadIndex,
    problem,
    ...state,
  });
  try {
    await check(lines, options, state);
    return report(-1, '');
  } catch (error) {
    if (error instanceof Finding) return report(error.index, error.message);
    throw error;
  }
};

interface State {
  entries: number;
  size: number;
  first: number;
  whole: boolean;
  compared: number[];
  notes: string[];
}

const check = async (lines: AsyncIterable<ExportLine>, options: VerifyOptions, state: State): Promise<void> => {
  let run: EntryCheck | undefined;
  let ended: number | undefined;
  for await (const line of lines) {
    if (line.kind === 'head') {
      if (run) throw new Finding('The export has a second head.');
      run = openExport(line.head, options, state);
    } else if (run === undefined) throw new Finding('The export does not begin with its head.');
    else if (line.kind === 'end') ended = line.entries;
    else if (ended !== undefined)
      throw new Finding('There is something after the end of the export.', line.entry.index);
    else run.take(line.entry);
  }
  if (run === undefined) throw new Finding('There is no export in the file.');
  if (ended === undefined) throw new Finding('The export was cut off: its last line is missing.');
  if (ended !== state.entries)
    throw new Finding(`The export says it has ${ended} entries; there are ${state.entries}.`);
  run.finish();
};

interface EntryCheck {
  take(entry: ExportedEntry): void;
  finish(): void;
}

const openExport = (head: ExportHead, { trust, kept, deep }: VerifyOptions, state: State): EntryCheck => {
  const known = [...trust.current, ...trust.retired, ...trust.witnesses];
  const checkpoint = signedBy(head.checkpoint, known, "The export's checkpoint");
  if (checkpoint.origin !== head.origin || head.origin !== `bravo/${head.workspace}`)
    throw new Finding('The checkpoint of the export is one of another log.');
  if (!checkpoint.signers.some((signer) => trust.current.includes(signer)))
    throw new Finding(
      checkpoint.signers.length > 0
        ? "The export's checkpoint is signed with a retired key alone."
        : "The export's checkpoint is not signed with a key that was given.",
    );
  for (const witness of trust.witnesses)
    if (!checkpoint.signers.includes(witness))
      throw new Finding(`The witness ${witness.name} did not sign the export's checkpoint.`);
  state.size = checkpoint.size;
  state.first = head.first;
  const whole = Object.keys(head.filter).length === 0;
  const pending = readKept(kept, known, checkpoint, state);
  if (!whole) compareByProof(head, pending, checkpoint, state);
  const range = startOf(head, known);
  if (whole) compareAt(range, pending, state);
  const holds = watchHolds();
  let last = head.first - 1;
  let unproven: Finding | undefined;

  return {
    take(entry) {
      const { index } = entry;
      if (!Number.isSafeInteger(index) || index <= last)
        throw new Finding(`Entry ${index} comes after entry ${last}: something was moved or put in.`, index);
      if (whole && index !== last + 1) throw new Finding(`Entry ${last + 1} is missing.`, last + 1);
      const hash = checkEntry(entry, head, deep);
      if (!isProven(entry, hash, checkpoint)) {
        const finding = new Finding(`Entry ${index} is not in the log that was signed.`, index);
        // In a whole log one entry that is gone spoils the proofs of others: which one it is shows further on.
        if (!whole) throw finding;
        unproven ??= finding;
      }
      last = index;
      state.entries += 1;
      const ignored = holds.take(entry.event);
      if (ignored) throw new Finding(ignored, index);
      if (!whole) return;
      range.append(Buffer.from(entry.leafHash, 'hex'));
      compareAt(range, pending, state);
    },
    finish() {
      if (!whole) {
        state.notes.push('It is a selection: each entry in it is proven, what was left out is not.');
        return;
      }
      if (unproven && range.size === checkpoint.size) throw unproven;
      if (range.size !== checkpoint.size) throw new Finding(`Entry ${range.size} is missing.`, range.size);
      if (!range.root().equals(checkpoint.root))
        throw new Finding('The entries are not the ones that were signed.', head.first);
      const held = holds.end(head.first);
      if (held) throw new Finding(held, head.first);
      if (head.first > 0)
        state.notes.push(`Entries before ${head.first} were pruned, as a signed stub says (${prunedLine(head)}).`);
      state.whole = true;
    },
  };
};

const signedBy = (note: string, keys: readonly VerifierKey[], what: string): Checkpoint => {
  try {
    return readCheckpoint(note, keys);
  } catch (error) {
    throw new Finding(`${what} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
};

const checkEntry = (entry: ExportedEntry, head: ExportHead, deep: boolean): Buffer => {
  const { index, event } = entry;
  const hash = leafHash(Buffer.from(event));
  if (hash.toString('hex') !== entry.leafHash)
    throw new Finding(`Entry ${index} does not have the hash it was recorded with.`, index);
  const recorded = JSON.parse(event) as Record<string, unknown>;
  if (recorded['workspace'] !== head.workspace)
    throw new Finding(`Entry ${index} belongs to another workspace.`, index);
  if (!deep || entry.told === undefined) return hash;
  for (const [name, told] of Object.entries(entry.told)) {
    const said = recorded[name] ?? '';
    const same = name === 'time' ? new Date(String(said)).toISOString() === told : String(said) === told;
    if (!same) throw new Finding(`What is told of the ${name} of entry ${index} is not what was recorded.`, index);
  }
  return hash;
};

const isProven = ({ index, proof }: ExportedEntry, hash: Buffer, checkpoint: Checkpoint): boolean => {
  const path = proof.map((encoded) => Buffer.from(encoded, 'base64'));
  return rootFromInclusion(index, checkpoint.size, hash, path)?.equals(checkpoint.root) ?? false;
};

/** Those of this log, from the smallest; what they say of a longer log than the export has is a finding already. */
const readKept = (
  kept: readonly KeptNote[],
  keys: readonly VerifierKey[],
  checkpoint: Checkpoint,
  state: State,
): Checkpoint[] => {
  const found: Checkpoint[] = [];
  let beyond: Checkpoint | undefined;
  for (const { source, note } of kept) {
    const one = signedBy(note, keys, `The kept checkpoint ${source}`);
    if (one.origin !== checkpoint.origin) continue;
    if (one.signers.length === 0)
      throw new Finding(`The kept checkpoint ${source} is not signed with a key that was given.`);
    const same = found.find(({ size }) => size === one.size);
    if (same && !same.root.equals(one.root))
      throw new Finding(
        `Two kept checkpoints of ${one.size} entries contradict each other: the log was told in two ways.`,
      );
    if (one.size > checkpoint.size && one.size > (beyond?.size ?? 0)) beyond = one;
    if (!same) found.push(one);
  }
  if (beyond)
    throw new Finding(
      `The log was cut, or the export is older than what was kept: a kept checkpoint covers ${beyond.size} entries, the export's ${checkpoint.size}.`,
      checkpoint.size,
    );
  found.sort((a, b) => a.size - b.size);
  const newest = found.at(-1);
  if (!newest)
    state.notes.push(
      'No checkpoint that was kept elsewhere was given: a log that was rebuilt or cut by whoever holds the key would not show.',
    );
  else if (newest.size < checkpoint.size)
    state.notes.push(
      `Entries ${newest.size} to ${checkpoint.size - 1} lie after the newest kept checkpoint: the window.`,
    );
  return found;
};

const compareAt = (range: CompactRange, pending: Checkpoint[], state: State): void => {
  while (pending[0] && pending[0].size < range.size) {
    const { size } = pending.shift() as Checkpoint;
    state.notes.push(`The kept checkpoint of ${size} entries is from before what is still kept.`);
  }
  while (pending[0]?.size === range.size) {
    const kept = pending.shift() as Checkpoint;
    if (!range.root().equals(kept.root))
      throw new Finding(
        `The first ${kept.size} entries are not the ones of the checkpoint that was kept.`,
        state.compared.at(-1) ?? state.first,
      );
    state.compared.push(kept.size);
  }
};

const compareByProof = (
  head: ExportHead,
  pending: readonly Checkpoint[],
  checkpoint: Checkpoint,
  state: State,
): void => {
  for (const kept of pending) {
    const given = head.consistency.find(({ older }) => older === kept.size);
    if (!given && kept.size !== checkpoint.size) {
      state.notes.push(
        `The kept checkpoint of ${kept.size} entries was not compared: export with older=${kept.size} for a proof.`,
      );
      continue;
    }
    const path = (given?.proof ?? []).map((hash) => Buffer.from(hash, 'base64'));
    if (!isConsistent(kept, checkpoint, path))
      throw new Finding(
        `The log does not extend the checkpoint of ${kept.size} entries that was kept.`,
        state.compared.at(-1) ?? 0,
      );
    state.compared.push(kept.size);
  }
};

const prunedLine = ({ stub }: ExportHead): string => /^pruned before .*$/m.exec(stub?.note ?? '')?.[0] ?? '';

/** A log whose beginning was pruned goes on from a signed stub, which says what the beginning hashed to. */
const startOf = (head: ExportHead, keys: readonly VerifierKey[]): CompactRange => {
  if (head.first === 0) return new CompactRange();
  if (!head.stub) throw new Finding(`The export begins with entry ${head.first} and has no stub for those before.`, 0);
  const stub = signedBy(head.stub.note, keys, 'The stub of the export');
  if (stub.origin !== head.origin || stub.size !== head.first || stub.signers.length === 0)
    throw new Finding('The stub of the export is not one of this log, or not signed with a key that was given.', 0);
  if (!stub.extension.some((line) => /^pruned before \d{4}-\d\d-\d\dT/.test(line)))
    throw new Finding(
      'The stub of the export is a checkpoint: nobody signed that the entries before it were pruned.',
      0,
    );
  const range = CompactRange.from(
    stub.size,
    head.stub.peaks.map((peak) => Buffer.from(peak, 'base64')),
  );
  if (!range.root().equals(stub.root)) throw new Finding('The stub of the export is not what was signed.', 0);
  return range;
};
