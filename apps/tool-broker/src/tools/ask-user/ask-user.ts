/** Tells the agent what the person answered. Guarantees that every answer is one the person gave; where one is missing nothing is told. */
import { Fault } from '@bravo/faults';
import { type AskedQuestion, questionDigest, readQuestions } from '@bravo/policy';
import type { Answer } from '../../answers/answer.ts';
import type { Draw } from '../drawers.ts';
import { type Execute, failed } from '../effect.ts';

export const askUser: Execute = async ({ call, who, approvalId }, { answers }) => {
  const questions = readQuestions(call.arguments['questions']);
  const digests = questions.map(questionDigest);
  const found = await answers.find(who.conversationId, digests);
  const lines: string[] = [];
  for (const [at, question] of questions.entries()) {
    const answer = found.get(digests[at]!);
    if (answer === undefined) return failed('not_found', 'The answers are gone. Ask again if they are still needed.');
    lines.push(`${at + 1}. ${tell(question, answer)}`);
  }
  return {
    status: 'completed',
    summary: [],
    outputs: [
      {
        origin: approvalId === undefined ? 'What the person answered before' : 'What the person answered',
        ...{ name: '', kind: 'text', content: Buffer.from(lines.join('\n')), paths: [] },
      },
    ],
    answeredBefore: approvalId === undefined,
  };
};

const tell = ({ header, options }: AskedQuestion, { options: chosen, words, skipped }: Answer): string => {
  if (skipped) return `${header}: skipped. Go on without an answer, and do not ask it again.`;
  const said = [
    ...(chosen.length === 0 ? [] : [`chosen: ${chosen.map((number) => options[number - 1]).join('; ')}`]),
    ...(words.trim() === '' ? [] : [`in their own words: ${words}`]),
  ];
  return `${header}: ${said.join(', and ')}`;
};

/** Only what was not answered before; a question of the call keeps its number. */
export const drawAsk: Draw = async ({ call, who }, { answers }) => {
  const asked = readQuestions(call.arguments['questions']).map((question, at) => ({ ...question, number: at + 1 }));
  const digests = asked.map(questionDigest);
  if (new Set(digests).size !== digests.length)
    throw new Fault('invalid_argument', 'Two of the questions are the same. Ask each of them once.');
  const known = await answers.find(who.conversationId, digests);
  return { questions: asked.filter((_, at) => !known.has(digests[at]!)) };
};
