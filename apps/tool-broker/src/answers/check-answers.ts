/** Holds a person's answers against the questions they were shown. Guarantees that each of them is answered once, by what it offers; an answer that is left out is never made up. */
import { Fault } from '@bravo/faults';
import { type Preview, questionDigest, readQuestions, type ShownQuestion } from '@bravo/policy';
import type { AnsweredQuestion } from './answer.ts';

/** As the person gives it: by the numbers of the question and its options, from 1. */
export interface GivenAnswer {
  readonly question: number;
  readonly options: readonly number[];
  readonly words: string;
  readonly skipped: boolean;
}

export const MAX_WORDS = 4_000;

/** @param inputJson arguments of the call. @throws Fault invalid_argument naming the answer that does not fit. */
export const checkAnswers = (
  inputJson: string,
  { questions: shown = [] }: Pick<Preview, 'questions'>,
  given: readonly GivenAnswer[],
): readonly AnsweredQuestion[] => {
  const asked = readQuestions((JSON.parse(inputJson) as { questions?: never }).questions);
  const twice = given.find(({ question }, at) => given.findIndex((other) => other.question === question) !== at);
  if (twice !== undefined) throw unfit(`Question ${twice.question} is answered twice.`);
  const foreign = given.find(({ question }) => !shown.some(({ number }) => number === question));
  if (foreign !== undefined) throw unfit(`There is no question ${foreign.question} here.`);
  return shown.map((question) => {
    const answer = given.find((one) => one.question === question.number);
    if (answer === undefined) throw unfit(`Question ${question.number} has no answer. To leave it open, skip it.`);
    const problem = whyUnfit(question, answer);
    if (problem !== undefined) throw unfit(`Question ${question.number}: ${problem}`);
    const { options, words, skipped } = answer;
    return { digest: questionDigest(asked[question.number - 1]!), options: [...options], words, skipped };
  });
};

const whyUnfit = ({ options: offered, multiple }: ShownQuestion, { options, words, skipped }: GivenAnswer) => {
  const given = options.length > 0 || words.trim() !== '';
  if (skipped && given) return 'it is either answered or skipped.';
  if (!skipped && !given) return 'the answer is empty. To leave it open, skip it.';
  if (options.some((number) => !Number.isInteger(number) || number < 1 || number > offered.length))
    return offered.length === 0 ? 'it has no options.' : `its options are 1 to ${offered.length}.`;
  if (new Set(options).size !== options.length) return 'an option is chosen twice.';
  if (!multiple && options.length + (words.trim() === '' ? 0 : 1) > 1)
    return 'one answer is wanted: an option, or your own words.';
  if (words.length > MAX_WORDS) return `an answer has at most ${MAX_WORDS} characters.`;
  return undefined;
};

const unfit = (sentence: string): Fault => new Fault('invalid_argument', sentence, { meta: { field: 'answers' } });
