/** The body of a checkpoint (C2SP tlog-checkpoint). Guarantees that what is read is spelled exactly as it would be written; anything else must never count as a checkpoint. */

export interface CheckpointBody {
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
}

/** Names one workspace's log in checkpoints, and the key it is signed with. */
export const originOf = (workspaceId: string): string => `bravo/${workspaceId}`;

export const writeCheckpoint = ({ origin, size, root }: CheckpointBody): string =>
  `${origin}\n${size}\n${Buffer.from(root).toString('base64')}\n`;

export const readCheckpoint = (text: string): CheckpointBody | undefined => {
  const [origin, size, root] = text.split('\n');
  if (!origin || !size || !root) return undefined;
  const body = { origin, size: Number(size), root: Buffer.from(root, 'base64') };
  return Number.isSafeInteger(body.size) && writeCheckpoint(body) === text ? body : undefined;
};
