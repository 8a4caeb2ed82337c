import { describe, expect, it } from '@jest/globals';
import { drawRows } from './draw-rows.ts';
import { readLine, type ShownQuestion } from './answer-questions.ts';

const one: ShownQuestion = {
  number: 2,
  header: { text: 'h' },
  question: { text: 'q' },
  options: [{ text: 'a' }, { text: 'b' }],
  multiple: false,
};

describe('a line typed to a question', () => {
  it.each([
    [one, '2', { question: 2, options: [2] }],
    [one, '1 2', { question: 2, words: '1 2' }],
    [one, '3', { question: 2, words: '3' }],
    [one, ' ', { question: 2, skip: true }],
    [one, 'neither', { question: 2, words: 'neither' }],
    [{ ...one, multiple: true }, '2, 1 2', { question: 2, options: [2, 1] }],
    [{ ...one, options: [] }, '2', { question: 2, words: '2' }],
  ])('is read as what it says', (question, line, answer) => {
    expect(readLine(question, line)).toEqual(answer);
  });
});

describe('rows on a terminal', () => {
  it('are a line each, with nothing that moves the cursor', () => {
    const rows = [
      { kind: 'value', name: 'path', text: 'a\u001b[2Jb' },
      { kind: 'removed', before: 3, text: 'x' },
      { kind: 'more', text: '2 more lines' },
    ];
    expect(drawRows(rows)).toEqual(['  path = a␛[2Jb', '      3 - x', '  ! 2 more lines']);
  });
});
