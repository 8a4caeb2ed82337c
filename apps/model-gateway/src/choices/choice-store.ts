/** Where it is kept who chose which model and level of effort. */
import type { Effort } from '../providers/model-provider.port.ts';

export const CHOICE_SCOPES = ['conversation', 'person', 'workspace'] as const;
export type ChoiceScope = (typeof CHOICE_SCOPES)[number];
export const isChoiceScope = (word: string): word is ChoiceScope => (CHOICE_SCOPES as readonly string[]).includes(word);

export interface Choice {
  /** Empty: nobody chose. */
  readonly model: string;
  readonly effort: Effort | '';
}
export type Choices = Readonly<Record<ChoiceScope, Choice>>;

export const NO_CHOICE: Choice = { model: '', effort: '' };

export interface ChoiceOwner {
  readonly workspaceId: string;
  readonly userId: string;
  /** Empty: none is meant. */
  readonly conversationId: string;
}

export interface ChoiceStore {
  read(owner: ChoiceOwner): Promise<Choices>;
  /** Both words empty take the record away. `by`: who changed it, for the trail. */
  put(owner: ChoiceOwner, scope: ChoiceScope, choice: Choice, by: string): Promise<void>;
  /** Only where it still names `model`: a choice made meanwhile stays. */
  reset(owner: ChoiceOwner, scope: ChoiceScope, model: string, to: string): Promise<void>;
}
