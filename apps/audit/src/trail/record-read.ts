/** Puts on record who looked into the trail of others. Guarantees that nothing is shown that is not recorded first; words that were searched for are kept as a digest alone. */
import type { Principal } from '@bravo/chassis';
import { userActor, type EventDraft } from '@bravo/events';
import { createHash } from 'node:crypto';
import type { EntryFilter } from './entries.port.ts';

/** In a transaction of its own, to the log by way of the outbox. */
export type OwnEvent = {
  [T in 'agent.trail.read' | 'agent.trail.exported' | 'agent.trail.content_opened']: EventDraft<T>;
}['agent.trail.read' | 'agent.trail.exported' | 'agent.trail.content_opened'];
export type TellOwnEvent = (draft: OwnEvent) => Promise<void>;

/** A question that was asked before others, by its name and what it is about. */
export interface AskedQuestion {
  readonly question: string;
  readonly conversationId?: string;
  readonly slot?: number;
  readonly subject?: string;
}

export interface RecordRead {
  /** `filter`: what was looked for, or the question that was asked. */
  read(principal: Principal, filter: EntryFilter | AskedQuestion, entries: number): Promise<void>;
  exported(principal: Principal, format: string, filter: EntryFilter, size: number): Promise<void>;
}

/** Somebody who pages or looks again within this time looks once. */
const ONE_LOOK_MS = 60_000;
const MOST_REMEMBERED = 10_000;

export const createRecordRead = (tell: TellOwnEvent, now: () => number = () => performance.now()): RecordRead => {
  const looks = new Map<string, number>();
  return {
    async read(principal, filter, entries) {
      const spelled = spell(filter);
      const key = `${principal.workspaceId} ${principal.userId} ${spelled}`;
      const before = looks.get(key);
      if (before !== undefined && now() - before < ONE_LOOK_MS) return;
      await tell({ type: 'agent.trail.read', ...by(principal), data: { filter: spelled, entries } });
      if (looks.size >= MOST_REMEMBERED) looks.clear();
      looks.set(key, now());
    },
    exported: (principal, format, filter, size) =>
      tell({ type: 'agent.trail.exported', ...by(principal), data: { format, filter: spell(filter), size } }),
  };
};

const by = ({ workspaceId, userId }: Principal) => ({ workspace: workspaceId, actor: userActor(userId) });

const spell = (filter: EntryFilter | AskedQuestion): string => {
  const { text, ...plain } = filter as EntryFilter;
  const words = text === undefined ? {} : { text: `sha256:${createHash('sha256').update(text).digest('hex')}` };
  return JSON.stringify({ ...plain, ...words }).slice(0, 2_000);
};
