/** An answer while it is made; it must never become one by itself. */
import type { QuestionAnswer, ShownQuestion } from '../api/contract.ts';

export interface Draft {
  options: number[];
  words: string;
}

export const EMPTY_DRAFT: Draft = { options: [], words: '' };

/** Where one answer is wanted, an option and own words put each other out. */
export function chooseOption({ options, words }: Draft, { multiple }: ShownQuestion, number: number): Draft {
  const chosen = options.includes(number);
  if (multiple) return { options: chosen ? options.filter((one) => one !== number) : [...options, number], words };
  return { options: chosen ? [] : [number], words: '' };
}

export function writeWords({ options }: Draft, { multiple }: ShownQuestion, words: string): Draft {
  return { options: multiple || words.trim() === '' ? options : [], words };
}

export const isAnswered = ({ options, words }: Draft): boolean => options.length > 0 || words.trim() !== '';

/** @param draft undefined: the question is skipped. */
export function toAnswer({ number }: ShownQuestion, draft: Draft | undefined): QuestionAnswer {
  if (draft === undefined || !isAnswered(draft)) return { question: number, skip: true };
  const options = [...draft.options].sort((a, b) => a - b);
  return {
    question: number,
    ...(options.length === 0 ? {} : { options }),
    ...(draft.words.trim() === '' ? {} : { words: draft.words }),
  };
}
