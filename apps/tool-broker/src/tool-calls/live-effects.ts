/** Who waits for which effect of this process. Guarantees that an effect is told to end only when the last caller that waited for it went away; a caller that was answered, also with "come back", never ends one. */

/** What names an effect to those who wait for it. */
export interface AwaitedEffect {
  readonly toolCallId: string;
  readonly approvalId: string | undefined;
}

export interface Attendance {
  /** The caller is being answered. @returns whether it was the last one in this process. May be repeated. */
  leave(): boolean;
}

export interface LiveEffects {
  /** `signal` is the caller's own: aborted when it went away. */
  attend(effect: AwaitedEffect, signal: AbortSignal): Attendance;
  /** Runs `work` at once, with a signal that is aborted when nobody is left who waits for it. */
  run<T>(effect: AwaitedEffect, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

export interface LiveEffectsParts {
  /** Whether a caller of another process waits for the answer. Asked once nobody waits here any more. */
  readonly isAwaitedElsewhere: (approvalId: string) => Promise<boolean>;
  /** Aborted when this process is about to end: its callers lose their connection then and have not gone away. */
  readonly stopping: AbortSignal;
}

interface Entry {
  readonly callers: Set<symbol>;
  running: AbortController | undefined;
}

export const createLiveEffects = ({ isAwaitedElsewhere, stopping }: LiveEffectsParts): LiveEffects => {
  const entries = new Map<string, Entry>();

  const entryOf = (id: string): Entry => {
    const entry = entries.get(id) ?? { callers: new Set(), running: undefined };
    entries.set(id, entry);
    return entry;
  };
  const dropIdle = (id: string, entry: Entry): void => {
    if (entry.callers.size === 0 && entry.running === undefined && entries.get(id) === entry) entries.delete(id);
  };
  /** A doubt keeps it running: it ends by its own limits, and its result is picked up or asked for. */
  const endUnlessAwaited = async (entry: Entry, { approvalId }: AwaitedEffect): Promise<void> => {
    const running = entry.running;
    if (running === undefined || stopping.aborted) return;
    if (approvalId !== undefined && (await isAwaitedElsewhere(approvalId).catch(() => true))) return;
    if (entry.callers.size === 0 && !stopping.aborted) running.abort();
  };

  return {
    attend: (effect, signal) => {
      const entry = entryOf(effect.toolCallId);
      const caller = Symbol('caller');
      entry.callers.add(caller);
      const leave = (): boolean => {
        signal.removeEventListener('abort', goAway);
        entry.callers.delete(caller);
        dropIdle(effect.toolCallId, entry);
        return entry.callers.size === 0;
      };
      const goAway = (): void => {
        if (leave()) void endUnlessAwaited(entry, effect);
      };
      signal.addEventListener('abort', goAway, { once: true });
      if (signal.aborted) goAway();
      return { leave };
    },
    run: (effect, work) => {
      const entry = entryOf(effect.toolCallId);
      const running = new AbortController();
      entry.running = running;
      return work(running.signal).finally(() => {
        entry.running = undefined;
        dropIdle(effect.toolCallId, entry);
      });
    },
  };
};
