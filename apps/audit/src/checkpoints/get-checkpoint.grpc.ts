/** GetCheckpoint on the wire. */
import type { Handlers } from '@bravo/chassis';
import type { AuditServiceService } from '@bravo/proto/audit';
import type { GetCheckpoint, ProofOf } from './get-checkpoint.ts';

export const getCheckpointHandler =
  (getCheckpoint: GetCheckpoint): Handlers<AuditServiceService>['getCheckpoint'] =>
  async ({ older, indexes }, { principal }) => {
    const { note, size, verifierKeys, consistency, inclusion } = await getCheckpoint(principal, { older, indexes });
    return {
      checkpoint: note,
      size,
      verifierKeys: [...verifierKeys],
      consistency: consistency.map(toProof),
      inclusion: inclusion.map(toProof),
    };
  };

const toProof = ({ of, hashes, leafHash }: ProofOf) => ({
  of,
  hashes: hashes.map((hash) => Buffer.from(hash).toString('base64')),
  leafHash: leafHash === undefined ? '' : Buffer.from(leafHash).toString('hex'),
});
