/** The newest checkpoint of a workspace's log and proofs against it. Guarantees that it tells nothing that was recorded: sizes and hashes alone. */
import type { Principal } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import { readOlder } from '../exports/export-head.ts';
import { requirePerson } from '../trail/require-person.ts';
import type { Retention } from '../retention/retention.port.ts';
import { originOf } from './checkpoint.ts';
import type { Deliveries } from './checkpoint-sink.port.ts';
import type { Checkpoints } from './checkpoints.port.ts';
import { proofMakerOf } from './prove.ts';
import type { NoteSigner } from './signed-note.ts';

export interface GetCheckpointPorts {
  readonly checkpoints: Checkpoints;
  readonly deliveries: Pick<Deliveries, 'answers'>;
  readonly signer: NoteSigner;
  readonly retention: Pick<Retention, 'stub'>;
}

export interface ProofOf {
  readonly of: number;
  readonly hashes: readonly Uint8Array[];
  readonly leafHash?: Uint8Array | undefined;
}

export interface ProvenCheckpoint {
  /** Empty where nothing is signed yet. */
  readonly note: string;
  readonly size: number;
  readonly verifierKeys: readonly string[];
  readonly consistency: readonly ProofOf[];
  readonly inclusion: readonly ProofOf[];
}

export type GetCheckpoint = (
  principal: Principal,
  asked: { readonly older: readonly number[]; readonly indexes: readonly number[] },
) => Promise<ProvenCheckpoint>;

export const createGetCheckpoint =
  ({ checkpoints, deliveries, signer, retention }: GetCheckpointPorts): GetCheckpoint =>
  async (principal, { older, indexes }) => {
    requirePerson(principal);
    const { workspaceId } = principal;
    const signed = await checkpoints.latest(workspaceId);
    const size = signed?.size ?? 0;
    const first = (await retention.stub(workspaceId))?.size ?? 0;
    readOlder(older, size, first);
    const beyond = indexes.find((index) => !Number.isSafeInteger(index) || index < first || index >= size);
    if (beyond !== undefined || indexes.length > 100)
      throw new Fault(
        'invalid_argument',
        `Entries from ${first} to before ${size} are kept and signed; at most 100 of them can be asked for.`,
        { meta: { field: 'index' } },
      );
    const proofs = proofMakerOf(checkpoints, workspaceId, size);
    const consistency: ProofOf[] = [];
    for (const of of older) consistency.push({ of, hashes: await proofs.consistency(of) });
    const inclusion: ProofOf[] = [];
    for (const of of indexes) {
      const [leafHash] = await checkpoints.nodes(workspaceId, 0, of, of + 1);
      inclusion.push({ of, hashes: await proofs.inclusion(of), leafHash });
    }
    const note = signed ? signed.note + (await deliveries.answers(workspaceId, size)).join('') : '';
    return { note, size, verifierKeys: signer.verifierKeys(originOf(workspaceId)), consistency, inclusion };
  };
