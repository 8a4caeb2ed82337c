import { describe, expect, it } from '@jest/globals';
import type { ShownQuestion } from '../api/contract.ts';
import { chooseOption, EMPTY_DRAFT, isAnswered, toAnswer, writeWords } from './answer-draft.ts';

const one: ShownQuestion = {
  number: 2,
  header: { text: 'h' },
  question: { text: 'q' },
  options: [{ text: 'a' }, { text: 'b' }],
  multiple: false,
};
const several = { ...one, multiple: true };

describe('an answer while it is made', () => {
  it('is an option or own words where one is wanted', () => {
    const chosen = chooseOption(EMPTY_DRAFT, one, 1);
    expect(toAnswer(one, chosen)).toEqual({ question: 2, options: [1] });
    expect(toAnswer(one, chooseOption(chosen, one, 2))).toEqual({ question: 2, options: [2] });
    expect(toAnswer(one, writeWords(chosen, one, 'mine'))).toEqual({ question: 2, words: 'mine' });
    expect(toAnswer(one, chooseOption(writeWords(chosen, one, 'mine'), one, 1))).toEqual({ question: 2, options: [1] });
  });

  it('is several options and own words where several are', () => {
    const draft = writeWords(chooseOption(chooseOption(EMPTY_DRAFT, several, 2), several, 1), several, 'mine');
    expect(toAnswer(several, draft)).toEqual({ question: 2, options: [1, 2], words: 'mine' });
    expect(chooseOption(draft, several, 2).options).toEqual([1]);
  });

  it('is none before anything was chosen or written, and a skip only where nothing was', () => {
    expect(isAnswered(EMPTY_DRAFT)).toBe(false);
    expect(isAnswered(writeWords(EMPTY_DRAFT, one, '  '))).toBe(false);
    expect(toAnswer(one, undefined)).toEqual({ question: 2, skip: true });
  });
});
