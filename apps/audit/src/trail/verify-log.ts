/** Has a whole log recomputed for a member of its workspace. Guarantees that what comes of it tells nothing that was recorded. */
import type { Principal } from '@bravo/chassis';
import { originOf } from '../checkpoints/checkpoint.ts';
import type { Checkpoints, StoredCheckpoint } from '../checkpoints/checkpoints.port.ts';
import type { NoteSigner } from '../checkpoints/signed-note.ts';
import { EMPTY_LOG, type MerkleState } from '../merkle/merkle-tree.ts';
import type { Retention } from '../retention/retention.port.ts';
import { openStub, type StoredStub } from '../retention/stub.ts';
import type { Entries, SequenceGap } from './entries.port.ts';
import { findWrong, type Wrong } from './find-wrong.ts';
import { requirePerson } from './require-person.ts';

export interface Verification {
  readonly ok: boolean;
  /** Entries the log has taken. */
  readonly size: number;
  readonly checkpoint: StoredCheckpoint | undefined;
  /** -1 when ok. Where only a checkpoint disagrees: the first entry that no earlier, agreeing checkpoint covers. */
  readonly firstBadIndex: number;
  /** Empty when ok. */
  readonly problem: string;
  /** Missing producer numbers, one sentence each. They do not make a log wrong, they say that something never came. */
  readonly gaps: readonly string[];
  readonly verifierKey: string;
  /** The first entry that is kept: those before were pruned, which a signed stub says. */
  readonly first: number;
}

export interface VerifyOptions {
  /** Whether the columns beside the bytes are compared, too. */
  readonly deep?: boolean;
  readonly onProgress?: (checked: number) => void;
}

export type VerifyLog = (principal: Principal, options?: VerifyOptions) => Promise<Verification>;

export interface VerifyLogPorts {
  readonly entries: Entries;
  readonly checkpoints: Checkpoints;
  readonly signer: NoteSigner;
  readonly retention: Pick<Retention, 'stub'>;
}

/** Every member of the workspace may: what comes of it tells how long the log is and whether it holds, and nothing that was recorded. */
export const createVerifyLog = (ports: VerifyLogPorts): VerifyLog => {
  // Recomputing is work for a person to wait for, not for many to cause: who asks meanwhile shares what comes of it.
  const running = new Map<string, { result: Promise<Verification>; listeners: ((checked: number) => void)[] }>();
  return async (principal, { deep = false, onProgress } = {}) => {
    requirePerson(principal);
    const { workspaceId } = principal;
    const key = `${workspaceId} ${deep}`;
    let run = running.get(key);
    if (!run) {
      const listeners: ((checked: number) => void)[] = [];
      const tell = (checked: number): void => listeners.forEach((listen) => listen(checked));
      run = { listeners, result: verify(ports, workspaceId, deep, tell).finally(() => running.delete(key)) };
      running.set(key, run);
    }
    if (onProgress) run.listeners.push(onProgress);
    return run.result;
  };
};

const verify = async (
  ports: VerifyLogPorts,
  workspaceId: string,
  deep: boolean,
  onProgress: (checked: number) => void,
): Promise<Verification> => {
  for (let tries = 1; ; tries += 1) {
    const stub = await ports.retention.stub(workspaceId);
    const found = await verifyFrom(ports, workspaceId, stub, deep, onProgress);
    // What was pruned while it was read is missing for a reason: it is read again from where it begins now.
    if (found.ok || tries === 3 || (await ports.retention.stub(workspaceId))?.size === stub?.size) return found;
  }
};

const verifyFrom = async (
  { entries, checkpoints, signer }: VerifyLogPorts,
  workspaceId: string,
  stub: StoredStub | undefined,
  deep: boolean,
  onProgress: (checked: number) => void,
): Promise<Verification> => {
  // In this order: a checkpoint never covers more than the size that is read after it.
  const signed = await checkpoints.all(workspaceId);
  const size = await entries.size(workspaceId);
  const from = stateOf(signer, workspaceId, stub);
  const wrong =
    'problem' in from ? from : await findWrong({ workspaceId, entries, signer, signed, size, from, deep, onProgress });
  const gaps = await entries.gaps(workspaceId);
  return {
    ok: wrong === undefined,
    size,
    checkpoint: signed.at(-1),
    firstBadIndex: wrong?.index ?? -1,
    problem: wrong?.problem ?? '',
    gaps: gaps.map(toSentence),
    verifierKey: signer.verifierKey(originOf(workspaceId)),
    first: stub?.size ?? 0,
  };
};

const stateOf = (signer: NoteSigner, workspaceId: string, stub: StoredStub | undefined): MerkleState | Wrong => {
  if (stub === undefined) return EMPTY_LOG;
  try {
    return openStub(signer, workspaceId, stub);
  } catch (error) {
    return { index: 0, problem: error instanceof Error ? error.message : String(error) };
  }
};

export const toSentence = ({ producer, first, last }: SequenceGap): string =>
  first === last
    ? `Event ${first} of ${producer} never came.`
    : `Events ${first} to ${last} of ${producer} never came.`;
