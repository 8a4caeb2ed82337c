/** The head of an export and of a delivery: the checkpoint its entries are proven against, and where what is kept begins. */
import { Fault } from '@bravo/faults';
import { originOf } from '../checkpoints/checkpoint.ts';
import type { Deliveries } from '../checkpoints/checkpoint-sink.port.ts';
import type { Checkpoints, StoredCheckpoint } from '../checkpoints/checkpoints.port.ts';
import { proofMakerOf } from '../checkpoints/prove.ts';
import type { NoteSigner } from '../checkpoints/signed-note.ts';
import { HASH_BYTES } from '../merkle/merkle-tree.ts';
import type { Retention } from '../retention/retention.port.ts';
import type { ExportHead } from './export-line.ts';

export interface HeadPorts {
  readonly checkpoints: Checkpoints;
  readonly deliveries: Pick<Deliveries, 'answers'>;
  readonly signer: NoteSigner;
  readonly retention: Pick<Retention, 'stub'>;
}

export interface HeadTerms {
  readonly filter: Readonly<Record<string, string>>;
  /** Sizes of checkpoints the reader kept: the head proves that the log extends each. */
  readonly older: readonly number[];
}

const MOST_OLDER = 100;

export const headOf = async (
  { checkpoints, deliveries, signer, retention }: HeadPorts,
  workspaceId: string,
  { size, note }: StoredCheckpoint,
  { filter, older }: HeadTerms,
): Promise<{ head: ExportHead; first: number }> => {
  const stub = await retention.stub(workspaceId);
  const first = stub?.size ?? 0;
  const proofs = proofMakerOf(checkpoints, workspaceId, size);
  const consistency = [];
  for (const one of readOlder(older, size, first))
    consistency.push({ older: one, proof: (await proofs.consistency(one)).map(base64) });
  const head = {
    workspace: workspaceId,
    origin: originOf(workspaceId),
    checkpoint: note + (await deliveries.answers(workspaceId, size)).join(''),
    size,
    verifier_keys: signer.verifierKeys(originOf(workspaceId)),
    filter,
    first,
    ...(stub ? { stub: { note: stub.note, peaks: hashesOf(stub.peaks).map(base64) } } : {}),
    consistency,
    exported_at: new Date().toISOString(),
  };
  return { head, first };
};

export const base64 = (hash: Uint8Array): string => Buffer.from(hash).toString('base64');

const hashesOf = (packed: Uint8Array): Uint8Array[] =>
  Array.from({ length: packed.length / HASH_BYTES }, (_, at) =>
    packed.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );

/** @throws Fault for sizes the log cannot prove anything about: larger ones, and those from before what is still kept. */
export const readOlder = (older: readonly number[], size: number, first = 0): readonly number[] => {
  const pruned = older.find((one) => one < first);
  if (pruned !== undefined && Number.isSafeInteger(pruned) && pruned >= 1)
    throw new Fault(
      'invalid_argument',
      `Entries before ${first} were pruned: nothing is proven about a log of ${pruned}.`,
      {
        meta: { field: 'older' },
      },
    );
  if (older.length > MOST_OLDER)
    throw new Fault('invalid_argument', `At most ${MOST_OLDER} older sizes can be asked for at once.`, {
      meta: { field: 'older' },
    });
  const beyond = older.find((one) => !Number.isSafeInteger(one) || one < 1 || one > size);
  if (beyond !== undefined)
    throw new Fault('invalid_argument', `The newest checkpoint covers ${size} entries; ${beyond} is no older size.`, {
      meta: { field: 'older' },
    });
  return older;
};
