/** When checkpoints are signed: after so many rows or so much time, whichever is first. It must never run twice at once, and a failure of one log must not stop the others. */
import type { Logger } from '@bravo/chassis';
import type { SignCheckpoint } from './sign-checkpoint.ts';

export interface CheckpointScheduleOptions {
  readonly signCheckpoint: SignCheckpoint;
  /** What other replicas, or this one before it ended, left uncovered. */
  readonly logsBehind: () => Promise<readonly string[]>;
  readonly rows: number;
  readonly seconds: number;
  /** A new checkpoint is stored. */
  readonly onSigned?: () => void;
  /** A log could not be signed. */
  readonly onRefused?: (workspaceId: string, error: unknown) => void;
  readonly logger: Logger;
  /** How often to look for what was left uncovered, 60 s unless said. */
  readonly reconcileSeconds?: number;
}

export interface CheckpointSchedule {
  /** Entries were appended. */
  noteEntries(workspaceId: string, entries: number): void;
  /** Signs what is open, then ends. */
  stop(): Promise<void>;
}

interface Open {
  rows: number;
  readonly since: number;
}

export const startCheckpointSchedule = (options: CheckpointScheduleOptions): CheckpointSchedule => {
  const { signCheckpoint, logsBehind, onSigned, onRefused, rows, seconds, logger, reconcileSeconds = 60 } = options;
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
        if (await signCheckpoint(workspaceId)) onSigned?.();
      } catch (error) {
        logger.error({ err: error, workspace: workspaceId }, 'no checkpoint was signed');
        onRefused?.(workspaceId, error);
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
    noteEntries(workspaceId, entries) {
      const log = open.get(workspaceId) ?? { rows: 0, since: performance.now() };
      log.rows += entries;
      open.set(workspaceId, log);
      if (log.rows >= rows) wake();
    },
    async stop() {
      stopped = true;
      wake();
      await done;
    },
  };
};
