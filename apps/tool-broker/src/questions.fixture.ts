/** What specs do with questions: look for them, answer them as the person does, and count what ran. For specs only. */
import { waitUntil } from '@bravo/testing';
import type { GivenAnswer } from './answers/check-answers.ts';
import type { Talk, TestBed } from './broker.fixture.ts';

export const SCRIPT = { language: 'python', code: 'print(6*7)' };

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const wholeAnswer = (given: Partial<GivenAnswer>) => ({
  ...{ question: 1, words: '', skipped: false, ...given },
  options: [...(given.options ?? [])],
});

export const questionsOf = (bed: TestBed) => {
  const rowsOf = ({ conversationId }: Talk) =>
    bed.database.approval.findMany({ where: { conversationId }, orderBy: { createdAt: 'asc' } });
  const pendingOf = (talk: Talk) =>
    waitUntil('the question', async () => (await rowsOf(talk)).find((row) => row.status === 'pending'));

  const answer = async (
    talk: Talk,
    decision: 'approve' | 'deny',
    {
      trustOutput = false,
      toolCallId,
      answers,
    }: { trustOutput?: boolean; toolCallId?: string; answers?: readonly Partial<GivenAnswer>[] } = {},
  ) => {
    const gateway = await bed.as('gateway');
    try {
      const request = {
        conversationId: talk.conversationId,
        toolCallId: toolCallId ?? (await pendingOf(talk)).toolCallId,
        decision,
        trustOutput,
        ...(answers === undefined ? {} : { answers: { answers: answers.map(wholeAnswer) } }),
      };
      return (await gateway.resolveApproval(request, bed.person(talk))).approval!;
    } finally {
      gateway.close();
    }
  };

  const ranOf = ({ conversationId }: Talk): number =>
    [...bed.sandbox.ran.values()].filter((request) => request.conversationId === conversationId).length;

  return { rowsOf, pendingOf, answer, ranOf };
};
