/** A person is asked once per language and conversation before a server of it is started; the yes is kept as long as the conversation. */
import type { LanguageServer } from './language-table.ts';

export interface LanguageConsents {
  has(conversationId: string, language: string): Promise<boolean>;
  /** @throws Fault conversation_ended */
  keep(conversationId: string, language: string, toolCallId: string): Promise<void>;
}

/** What a decision is told of a file: which server would answer for it, and whether starting it was answered already. */
export interface LanguageOfFile {
  /** Undefined where none is configured: then nothing is started. */
  serverOf(path: string): LanguageServer | undefined;
  isAnswered(conversationId: string, language: string): Promise<boolean>;
}
