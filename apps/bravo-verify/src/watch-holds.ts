/** Follows legal holds through an export. Guarantees that entries which went while a hold kept them are told, from the log alone. */

export interface HoldWatch {
  /** One sentence where this event tells that a hold was ignored. */
  take(event: string): string | undefined;
  /** At the end: one sentence where what is gone lies under a hold that still stands. */
  end(first: number): string | undefined;
}

export const watchHolds = (): HoldWatch => {
  const standing = new Map<string, number>();
  const ignored = (size: number): string | undefined => {
    const found = [...standing].find(([, from]) => from < size);
    return (
      found &&
      `Entries before ${size} were pruned, and the hold ${found[0]} keeps everything from entry ${found[1]} on.`
    );
  };
  return {
    take(event) {
      if (!/"type":"agent\.(hold\.|trail\.pruned")/.test(event)) return undefined;
      const { type, data } = JSON.parse(event) as { type: string; data: Record<string, unknown> };
      if (type === 'agent.hold.placed') standing.set(String(data['hold_id']), Number(data['protects_from']));
      if (type === 'agent.hold.lifted') standing.delete(String(data['hold_id']));
      return type === 'agent.trail.pruned' ? ignored(Number(data['size'])) : undefined;
    },
    end: ignored,
  };
};
