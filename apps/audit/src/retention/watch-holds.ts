/** Follows holds through a log as it is verified. Guarantees that entries which went while a hold kept them are told, from the log alone. */

const PLACED = Buffer.from('"type":"agent.hold.placed"');
const LIFTED = Buffer.from('"type":"agent.hold.lifted"');
const PRUNED = Buffer.from('"type":"agent.trail.pruned"');

export interface HoldWatch {
  /** One sentence where this entry tells that a hold was ignored. */
  take(bytes: Uint8Array): string | undefined;
  /** At the end of the log: one sentence where what is gone lies under a hold that still stands. */
  end(first: number): string | undefined;
}

export const watchHolds = (): HoldWatch => {
  const standing = new Map<string, number>();
  const ignored = (size: number): string | undefined => {
    for (const [id, from] of standing)
      if (from < size)
        return `Entries before ${size} were pruned, and the hold ${id} keeps everything from entry ${from} on.`;
    return undefined;
  };
  return {
    take(bytes) {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const kind = [PLACED, LIFTED, PRUNED].find((type) => text.includes(type));
      if (kind === undefined) return undefined;
      const { type, data } = JSON.parse(text.toString()) as { type: string; data: Record<string, unknown> };
      if (type === 'agent.hold.placed') standing.set(String(data['hold_id']), Number(data['protects_from']));
      if (type === 'agent.hold.lifted') standing.delete(String(data['hold_id']));
      return type === 'agent.trail.pruned' ? ignored(Number(data['size'])) : undefined;
    },
    end: ignored,
  };
};
