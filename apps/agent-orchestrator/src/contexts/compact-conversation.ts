/** `/compact`: older turns become a summary now, at any size, because the person asked. The record is not touched, and nothing becomes of what would free nothing. */
import type { ConversationStore } from '../conversations/conversation-store.ts';
import type { StartedTurn } from '../turns/turn-store.ts';
import type { Models } from './models.ts';
import { MOST_BYTES, tokensOf } from './recall.ts';
import type { Summary, SummaryStore } from './summary-store.ts';

export interface CompactParts {
  readonly conversations: Pick<ConversationStore, 'before'>;
  readonly summaries: SummaryStore;
  readonly models: Models;
}

export interface Compaction {
  /** False: nothing changed, and the sentence says why. */
  readonly done: boolean;
  readonly sentence: string;
}

export type CompactConversation = (turn: StartedTurn, signal: AbortSignal) => Promise<Compaction>;

/** What was said last stays as it was said. */
const KEPT_TURNS = 2;

export const COMPACT_COMMAND = '/compact';

/** The message that is left when its first line is the command; `undefined` where it is not. */
export const readCompactCommand = (content: string): string | undefined => {
  const [line = '', ...rest] = content.trimStart().split(/\r?\n/);
  return line.trim() === COMPACT_COMMAND ? rest.join('\n').trim() : undefined;
};

export const createCompactConversation =
  ({ conversations, summaries, models }: CompactParts): CompactConversation =>
  async (turn, signal) => {
    const { owner, conversationId } = turn;
    const unchanged = (sentence: string): Compaction => ({ done: false, sentence });
    const [stored, window] = await Promise.all([
      summaries.latest(conversationId),
      models.window(owner, conversationId),
    ]);
    const after = stored?.throughSeq ?? 0n;
    const { messages, total } = await conversations.before(conversationId, turn.id, { after, maxBytes: MOST_BYTES });
    const turnIds = [...new Set(messages.map(({ turnId }) => turnId))];
    const kept = new Set(turnIds.slice(-KEPT_TURNS));
    const older = messages.filter(({ turnId }) => !kept.has(turnId));
    const last = older.at(-1);
    if (!last)
      return unchanged(
        'There is nothing to compact yet: what was said is short, and the newest turns stay as they are.',
      );
    if (!window.summarises)
      return unchanged(
        `${window.label} writes no summaries, so nothing was compacted. Choose a language model for this conversation, then send ${COMPACT_COMMAND} again.`,
      );
    const beyond = total - messages.length;
    const written = await models.summarise(
      owner,
      conversationId,
      { earlier: stored?.text ?? '', messages: older },
      signal,
    );
    if (written.text === '')
      return unchanged('Nothing was compacted: no summary was smaller than what it would have stood for.');
    const summary: Summary = {
      ...{ throughSeq: last.turnSeq, text: written.text, tokens: written.tokens, model: written.model },
      messages: (stored?.messages ?? 0) + older.length + beyond,
      leftOut: (stored?.leftOut ?? 0) + written.leftOut + beyond,
    };
    await summaries.put(owner, conversationId, summary, 'asked', tokensOf(older) + (stored?.tokens ?? 0));
    const except = summary.leftOut === 0 ? '' : ` (the first ${summary.leftOut} of them not at all)`;
    return {
      done: true,
      sentence: `Compacted: ${summary.messages} older messages are told to ${window.label} as a summary of about ${summary.tokens} tokens from now on${except}. The newest ${messages.length - older.length} stay as they were said, and everything stays in the record.`,
    };
  };
