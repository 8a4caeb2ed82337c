/** Proofs of one log by the sizes and entries asked for; what they are worth, whoever checks them against a signed root finds out. */
import { ProofMaker } from '../merkle/proofs.ts';
import type { Checkpoints } from './checkpoints.port.ts';

/** A maker of proofs of a log at that size; the size must have been signed. */
export const proofMakerOf = (checkpoints: Pick<Checkpoints, 'nodes'>, workspaceId: string, size: number): ProofMaker =>
  new ProofMaker(size, (height, from, to) => checkpoints.nodes(workspaceId, height, from, to));
