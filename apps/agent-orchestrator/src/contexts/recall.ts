/**
 * What a fresh pod is told of a conversation: the newest turns that fit its model, and a summary of the older ones that is kept
 * beside the record. It never changes the record, never parts a turn, and says how much is not told.
 */
import type { ConversationStore, SaidInTurn } from '../conversations/conversation-store.ts';
import { lineBytes, transcriptRoom } from '../turns/first-message.ts';
import type { StartedTurn } from '../turns/turn-store.ts';
import type { Models, Window } from './models.ts';
import type { Summary, SummaryStore } from './summary-store.ts';

export interface ToldBefore {
  /** Oldest first. */
  readonly messages: readonly SaidInTurn[];
  readonly summary: Pick<Summary, 'text' | 'messages' | 'leftOut'> | undefined;
  /** Older messages no word is told of, the summary's own aside. */
  readonly leftOut: number;
  /** What the person is told of it; empty: nothing became shorter. */
  readonly notice: string;
}

export interface RecallParts {
  readonly conversations: Pick<ConversationStore, 'before'>;
  readonly summaries: SummaryStore;
  readonly models: Models;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
}

export type Recall = (turn: StartedTurn, signal: AbortSignal) => Promise<ToldBefore>;

/** What is read of the record at most; a summary of more would take longer than a person waits. */
export const MOST_BYTES = 1024 * 1024;
/** Few enough that a fresh pod's first request leaves half of the window to what follows. */
const SHARE = 0.5;
const BYTES_PER_TOKEN = 3;
/** Told anew, what is kept goes below the room, so that the next fresh pod needs no new summary. */
const GOAL = 0.6;

/** Bytes of a transcript for such a model. */
export const roomOf = ({ budgetTokens }: Pick<Window, 'budgetTokens'>): number =>
  Math.floor(budgetTokens * SHARE * BYTES_PER_TOKEN);

export const createRecall =
  ({ conversations, summaries, models, log }: RecallParts): Recall =>
  async (turn, signal) => {
    const { owner, conversationId } = turn;
    const [stored, window] = await Promise.all([
      summaries.latest(conversationId),
      // The model is asked next and says by itself when it cannot be reached.
      models.window(owner, conversationId).catch((err: unknown) => {
        log('the window of a model could not be asked for', { conversation: conversationId, err });
        return undefined;
      }),
    ]);
    const frame = transcriptRoom(turn.userMessage.content, turn.contextJson);
    const room = window ? Math.min(frame, roomOf(window)) : frame;
    const after = stored?.throughSeq ?? 0n;
    const { messages, total } = await conversations.before(conversationId, turn.id, { after, maxBytes: MOST_BYTES });
    const beyond = total - messages.length;
    const whole = newestTurns(messages, room - bytesOf(stored));
    const summary = stored && { text: stored.text, messages: stored.messages, leftOut: stored.leftOut };
    if (beyond === 0 && whole.length === messages.length) return { messages, summary, leftOut: 0, notice: '' };
    const kept = newestTurns(messages, room * GOAL);
    const older = messages.slice(0, messages.length - kept.length);
    const last = older.at(-1);
    if (window?.summarises && last) {
      const written = await models.summarise(
        owner,
        conversationId,
        { earlier: stored?.text ?? '', messages: older },
        signal,
      );
      if (written.text !== '') {
        const fresh: Summary = {
          ...{ throughSeq: last.turnSeq, text: written.text, tokens: written.tokens, model: written.model },
          messages: (stored?.messages ?? 0) + older.length + beyond,
          leftOut: (stored?.leftOut ?? 0) + written.leftOut + beyond,
        };
        await summaries.put(owner, conversationId, fresh, 'import', tokensOf(older) + (stored?.tokens ?? 0));
        const except = fresh.leftOut === 0 ? '' : ` (the first ${fresh.leftOut} of them not at all)`;
        const notice = `A fresh agent goes on here. Its ${fresh.messages} oldest messages are told to ${window.label} as a summary of about ${fresh.tokens} tokens${except}; everything stays in the record.`;
        return { messages: kept, summary: fresh, leftOut: 0, notice };
      }
    }
    const leftOut = messages.length - whole.length + beyond;
    const why = window?.summarises === false ? `${window.label} writes no summaries` : 'no summary was smaller';
    const notice = `A fresh agent goes on here. ${leftOut} older messages are not told to it, because ${why}; everything stays in the record.`;
    return { messages: whole, summary, leftOut, notice };
  };

const bytesOf = (stored: Summary | undefined): number => (stored ? Buffer.byteLength(stored.text) + 256 : 0);
export const tokensOf = (messages: readonly SaidInTurn[]): number =>
  Math.ceil(messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0) / 4);

/** Whole turns, newest first, as long as they fit; always the newest one. */
export function newestTurns<M extends Pick<SaidInTurn, 'turnId' | 'role' | 'content' | 'status'>>(
  messages: readonly M[],
  room: number,
): M[] {
  let used = 0;
  let begin = messages.length;
  while (begin > 0) {
    let first = begin - 1;
    while (first > 0 && messages[first - 1]?.turnId === messages[first]?.turnId) first -= 1;
    const bytes = messages.slice(first, begin).reduce((sum, said) => sum + lineBytes(said), 0);
    if (used + bytes > room && begin < messages.length) break;
    used += bytes;
    begin = first;
  }
  return messages.slice(begin);
}
