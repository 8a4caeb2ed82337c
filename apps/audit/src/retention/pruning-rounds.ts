/** Prunes again and again what is over its time. One log that cannot be pruned must never stop the others; a log that is not what was signed raises an alert. */
import type { Logger, Round } from '@bravo/chassis';
import type { Alerts } from '../alerts/alerts.port.ts';
import type { PruneLog } from './prune-log.ts';
import type { Retention } from './retention.port.ts';

export interface PruningParts {
  readonly retention: Pick<Retention, 'prunable' | 'expireContent'>;
  /** Absent without a role that may prune: then rows stay, and that is said. */
  readonly pruneLog: PruneLog | undefined;
  readonly alerts: Pick<Alerts, 'raise'>;
  /** How long a key of sealed content seals. */
  readonly keyLifeSeconds: number;
  readonly everyMs: number;
  readonly logger: Logger;
}

export const pruningRounds = (options: PruningParts): Round[] => {
  const { retention, pruneLog, alerts, keyLifeSeconds, everyMs, logger } = options;
  const pruneAll = async (): Promise<void> => {
    for (const { workspaceId, seconds } of await retention.prunable()) {
      if (!pruneLog) {
        logger.warn(
          { workspace: workspaceId },
          'rows are over their time and stay: BRAVO_AUDIT_PRUNER_DATABASE_URL is not set',
        );
        continue;
      }
      try {
        const entries = await pruneLog(workspaceId, seconds);
        if (entries > 0) logger.info({ workspace: workspaceId, entries }, 'entries were pruned');
      } catch (error) {
        const detail = error instanceof Error ? error.message : String(error);
        logger.error({ err: error, workspace: workspaceId }, 'a log was not pruned');
        // What the database or the disk has is no finding about the log.
        if (/nothing is pruned$|^The stub of/.test(detail))
          await alerts.raise({ kind: 'pruning', subject: `${workspaceId} ${detail}`, workspaceId, detail });
      }
    }
  };
  return [
    { name: 'prune-rows', everyMs, run: pruneAll },
    { name: 'expire-content', everyMs, run: () => retention.expireContent(keyLifeSeconds) },
  ];
};
