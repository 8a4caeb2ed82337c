/** When checkpoints are signed: after so many rows or so much time, whichever is first. It must never run twice at once, and a failure of one log must not stop the others. */
import type { Logger } from '@bravo/chassis';
import type { SignCheckpoint } from './sign-checkpoint.ts';

export interface CheckpointScheduleOptions {
  readonly signCheckpoint: SignCheckpoint;
  /** What other replicas, or this one before it ended, left uncovered. */
  readonly logsBehind: () => Promise<readonly string[]>;
  readonly rows: number;
  readonly seconds: number;
  readonly logger: Logger;
  /** How often to look for what was left uncovered, 60 s unless said. */
  readonly reconcileSeconds?: number;
}

export interface CheckpointSchedule {
  /** An entry was appended. */
  noteEntry(workspaceId: string): void;
  /** Signs what is open, then ends. */
  stop(): Promise<void>;
}

interface Open {
  rows: number;
  readonly since: number;
}

export const startCheckpointSchedule = (options: CheckpointScheduleOptions): CheckpointSchedule => {
  const { signCheckpoint, logsBehind, rows, seconds, logger, reconcileSeconds = 60 } = options;
  const open = new Map<string, Open>();
  const tickMs = Math.max(20, Math.min(1_000, (seconds * 1_000) / 2));
  let stopped = false;
  let wake: () => void = () => undefined;
  let reconciledAt = -Infinity;

  const reconcile = async (): Promise<void> => {
    if (performance.now() - reconciledAt < reconcileSeconds * 1_000) return;
    try {
      const behind = await logsBehind();
      reconciledAt = performance.now();
      for (const workspaceId of behind)
        if (!open.has(workspaceId)) open.set(workspaceId, { rows, since: performance.now() });
    } catch (error) {
      logger.warn({ err: error }, 'logs without a checkpoint could not be looked up; trying again');
    }
  };

  const signDue = async (all: boolean): Promise<void> => {
    const now = performance.now();
    const due = [...open].filter(([, log]) => all || log.rows >= rows || now - log.since >= seconds * 1_000);
    for (const [workspaceId] of due) {
      // Taken out first: an entry that comes while this one is signed opens the log again.
      open.delete(workspaceId);
      try {
        await signCheckpoint(workspaceId);
      } catch (error) {
        logger.error({ err: error, workspace: workspaceId }, 'no checkpoint was signed');
      }
    }
  };

  const loop = async (): Promise<void> => {
    while (!stopped) {
      await reconcile();
      await signDue(false);
      if (stopped) break;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, tickMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    await signDue(true);
  };
  const done = loop();

  return {
    noteEntry(workspaceId) {
      const log = open.get(workspaceId);
      if (log) log.rows += 1;
      else open.set(workspaceId, { rows: 1, since: performance.now() });
      if ((log?.rows ?? 1) >= rows) wake();
    },
    async stop() {
      stopped = true;
      wake();
      await done;
    },
  };
};
