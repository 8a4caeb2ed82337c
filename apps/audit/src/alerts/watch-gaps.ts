/** Looks for producer numbers that never came. Guarantees an alert for each hole that stays; it must never raise one for an event that is only late. */
import type { SequenceGap } from '../trail/entries.port.ts';
import { toSentence } from '../trail/verify-log.ts';
import type { Alerts } from './alerts.port.ts';

export interface WatchGapsOptions {
  /** Every hole there is now, over all producers. */
  readonly allGaps: () => Promise<readonly SequenceGap[]>;
  readonly alerts: Pick<Alerts, 'raise'>;
  readonly onAlert: (sentence: string) => void;
  readonly onFailure: (error: unknown) => void;
  readonly lookMs: number;
}

const keyOf = ({ producer, first, last }: SequenceGap): string => `${producer} ${first}-${last}`;

/** A hole that is there at two looks in a row is told. */
export const startWatchGaps = ({ allGaps, alerts, onAlert, onFailure, lookMs }: WatchGapsOptions): { stop(): void } => {
  let before = new Set<string>();
  let stopped = false;
  let timer: NodeJS.Timeout;
  const look = async (): Promise<void> => {
    try {
      const gaps = await allGaps();
      for (const gap of gaps) {
        if (!before.has(keyOf(gap))) continue;
        const detail = toSentence(gap);
        if (await alerts.raise({ kind: 'gap', subject: keyOf(gap), workspaceId: '', detail })) onAlert(detail);
      }
      before = new Set(gaps.map(keyOf));
    } catch (error) {
      onFailure(error);
    }
    if (!stopped) timer = setTimeout(() => void look(), lookMs);
  };
  timer = setTimeout(() => void look(), lookMs);
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
};
