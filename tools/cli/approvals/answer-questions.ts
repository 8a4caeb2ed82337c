/** Puts questions to the person at the keyboard, one at a time. Guarantees that an answer is one they typed: an empty line skips, the end of input answers nothing at all. */
import { createInterface } from 'node:readline/promises';
import { visibleText } from '../../demo/visible-text.ts';

export interface ShownQuestion {
  readonly number: number;
  readonly header: { readonly text: string };
  readonly question: { readonly text: string };
  readonly options: readonly { readonly text: string }[];
  readonly multiple: boolean;
}

export interface QuestionAnswer {
  readonly question: number;
  readonly options?: readonly number[];
  readonly words?: string;
  readonly skip?: true;
}

/** A line of numbers chooses, anything else is their own words. */
export const readLine = ({ number, options, multiple }: ShownQuestion, line: string): QuestionAnswer => {
  const text = line.trim();
  if (text === '') return { question: number, skip: true };
  const numbers = text.split(/[\s,]+/).map(Number);
  const chooses =
    options.length > 0 &&
    numbers.every((one) => Number.isInteger(one) && one >= 1 && one <= options.length) &&
    (multiple || numbers.length === 1);
  return chooses ? { question: number, options: [...new Set(numbers)] } : { question: number, words: text };
};

const promptOf = ({ options, multiple }: ShownQuestion): string =>
  options.length === 0
    ? '  your answer (an empty line skips) > '
    : `  ${multiple ? 'numbers' : 'a number'}, or your own words (an empty line skips) > `;

/** @returns undefined where the input ended before the last question. */
export const answerQuestions = async (
  questions: readonly ShownQuestion[],
): Promise<readonly QuestionAnswer[] | undefined> => {
  const lines = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
  const typed = lines[Symbol.asyncIterator]();
  const answers: QuestionAnswer[] = [];
  try {
    for (const [at, question] of questions.entries()) {
      process.stdout.write(
        `\n${at + 1} of ${questions.length}  ${visibleText(question.header.text)}\n  ${visibleText(question.question.text)}\n`,
      );
      question.options.forEach(({ text }, index) => process.stdout.write(`    ${index + 1}  ${visibleText(text)}\n`));
      process.stdout.write(promptOf(question));
      const { value, done } = await typed.next();
      if (done === true) return undefined;
      answers.push(readLine(question, value));
    }
    return answers;
  } finally {
    lines.close();
    process.stdin.pause();
  }
};
