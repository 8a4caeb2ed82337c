/** Draws the questions of `ask_user`, as rows and, for a page that lets them be chosen from, as data. Both hold the same text, safe to show; nothing of a question is left out. */
import type { PreviewRow, ShownQuestion } from '../previews/preview.ts';
import { showText } from '../previews/shown-text.ts';
import type { AskedQuestion } from './asked-question.ts';

/** A question with its place in the call, counted from 1. */
export interface PlacedQuestion extends AskedQuestion {
  readonly number: number;
}

export function drawQuestions(questions: readonly PlacedQuestion[]): {
  rows: readonly PreviewRow[];
  questions: readonly ShownQuestion[];
} {
  return {
    rows: questions.flatMap(({ number, header, question, options, multiple }): PreviewRow[] => [
      { kind: 'heading', text: `question ${number}` },
      { kind: 'value', name: 'about', ...showText(header) },
      { kind: 'value', name: 'question', ...showText(question) },
      ...options.map((option, at): PreviewRow => ({ kind: 'value', name: `${at + 1}`, ...showText(option) })),
      ...(options.length > 0 && multiple ? [{ kind: 'note', text: 'More than one may be chosen.' } as const] : []),
    ]),
    questions: questions.map(({ number, header, question, options, multiple }) => ({
      number,
      header: showText(header),
      question: showText(question),
      options: options.map(showText),
      multiple,
    })),
  };
}
