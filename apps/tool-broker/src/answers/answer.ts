/** What a person answered to questions of `ask_user`. It is theirs: only they give it, and it is kept sealed with their conversation and nowhere else. */

export interface Answer {
  /** Places of the options that were chosen, from 1. */
  readonly options: readonly number[];
  /** In their own words; empty: none. */
  readonly words: string;
  /** The person gave no answer, which is one to work with. */
  readonly skipped: boolean;
}

/** An answer with what it is remembered by. */
export interface AnsweredQuestion extends Answer {
  /** {@link questionDigest} of the question. */
  readonly digest: string;
}

export interface Answers {
  /** By the digest of the question; those that were answered in this conversation, whether or not the agent knows. */
  find(conversationId: string, digests: readonly string[]): Promise<ReadonlyMap<string, Answer>>;
  /** Whether the agent was told an answer to every one of them. */
  areTold(conversationId: string, digests: readonly string[]): Promise<boolean>;
}
