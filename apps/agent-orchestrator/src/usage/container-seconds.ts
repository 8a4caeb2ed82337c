/** Splits the life of claimed pods into UTC days; a pod counts from its claim to its release and not a second more. */

export interface PodLife {
  readonly userId: string;
  readonly from: Date;
  readonly to: Date;
}

export interface DayUsage {
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  readonly userId: string;
  readonly containerSeconds: number;
}

const DAY_MS = 86_400_000;

/** Only what lies between `from` and `to`; days in order, then users in order. */
export const secondsByDay = (lives: readonly PodLife[], from: Date, to: Date): DayUsage[] => {
  const totals = new Map<string, DayUsage>();
  for (const life of lives) {
    const end = Math.min(life.to.getTime(), to.getTime());
    for (let at = Math.max(life.from.getTime(), from.getTime()); at < end;) {
      const midnight = (Math.floor(at / DAY_MS) + 1) * DAY_MS;
      const until = Math.min(midnight, end);
      const day = new Date(at).toISOString().slice(0, 10);
      const key = `${day} ${life.userId}`;
      const seconds = (totals.get(key)?.containerSeconds ?? 0) + (until - at) / 1000;
      totals.set(key, { day, userId: life.userId, containerSeconds: seconds });
      at = until;
    }
  }
  return [...totals.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, usage]) => usage);
};
