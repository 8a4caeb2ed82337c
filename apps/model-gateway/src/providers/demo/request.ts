/** What the demo planner can make of a person's words; a closed list, because guessing is what it must never do. */

export type Language = 'python' | 'node' | 'bash';

export interface AskedOf {
  readonly header: string;
  readonly question: string;
  readonly options: readonly string[];
  readonly multiple: boolean;
}

export type CallRequest =
  /** `directory` absent: the whole workspace. */
  | { readonly kind: 'list'; readonly directory?: string }
  | { readonly kind: 'read'; readonly path: string }
  | { readonly kind: 'write'; readonly path: string; readonly contents: string }
  | { readonly kind: 'edit'; readonly path: string; readonly from: string; readonly to: string }
  /** With content that is kept from the planner. */
  | { readonly kind: 'process'; readonly ref: string; readonly instruction: string }
  | { readonly kind: 'save'; readonly ref: string; readonly path: string }
  | { readonly kind: 'vet'; readonly ref: string }
  | { readonly kind: 'watch'; readonly path: string }
  | { readonly kind: 'again'; readonly seconds: number }
  | { readonly kind: 'ask'; readonly questions: readonly AskedOf[] }
  /** One delegate per task; each is told its own. */
  | { readonly kind: 'delegate'; readonly as: string; readonly tasks: readonly string[] }
  | { readonly kind: 'run'; readonly language: Language; readonly code: string; readonly files: readonly string[] };

export type DemoRequest =
  | CallRequest
  | { readonly kind: 'help' | 'greeting' | 'thanks' | 'empty' }
  /** `hint`: a sentence that says what is missing. */
  | { readonly kind: 'unknown'; readonly text: string; readonly hint?: string };

export const isCallRequest = (request: DemoRequest): request is CallRequest =>
  ['list', 'read', 'write', 'edit', 'process', 'save', 'vet', 'ask', 'watch', 'again', 'run', 'delegate'].includes(
    request.kind,
  );

/** The language a word names; undefined for every word that names none we can run. */
export const languageOf = (word: string): Language | undefined => {
  switch (word.toLowerCase().replaceAll(/[\s.]/g, '')) {
    case 'python':
    case 'python3':
    case 'py':
      return 'python';
    case 'node':
    case 'nodejs':
    case 'javascript':
    case 'js':
    case 'mjs':
      return 'node';
    case 'bash':
    case 'shell':
    case 'sh':
    case 'terminal':
      return 'bash';
    default:
      return undefined;
  }
};
