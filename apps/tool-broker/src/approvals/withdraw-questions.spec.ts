import { describe, expect, it } from '@jest/globals';
import { useBroker } from '../broker.fixture.ts';
import { questionsOf } from '../questions.fixture.ts';
import { openClient } from '../raw-mcp-client.fixture.ts';

const bed = useBroker({ holdSeconds: 12 });
const { rowsOf, pendingOf, answer, ranOf } = questionsOf(bed);
const script = { language: 'python', code: 'print(1)' };

describe('withdrawing the questions of a stopped turn', () => {
  it('ends what waits for good, tells the held call, and says in the trail whose wish it was [turn.cancel]', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    const held = client.call('execute_script', script);
    const { toolCallId } = await pendingOf(talk);
    const orchestrator = await bed.as('orchestrator');
    const request = { conversationId: talk.conversationId };
    expect(await orchestrator.withdrawQuestions(request, bed.person(talk))).toEqual({ withdrawn: 1 });
    expect(await orchestrator.withdrawQuestions(request, bed.person(talk))).toEqual({ withdrawn: 0 });
    orchestrator.close();
    expect(await held).toMatchObject({ isError: true, text: expect.stringMatching(/stopped the turn/) });
    await expect(answer(talk, 'approve', { toolCallId })).rejects.toMatchObject({ code: 'approval_superseded' });
    expect(ranOf(talk)).toBe(0);
    expect((await rowsOf(talk))[0]).toMatchObject({ status: 'superseded' });
    const events = await bed.database.outbox.findMany({
      where: { body: { contains: talk.conversationId }, stream: 'EVENTS' },
    });
    expect(events.map(({ body }) => JSON.parse(body) as object)).toContainEqual(
      expect.objectContaining({ type: 'agent.tool.superseded', actor: `user:${talk.userId}` }),
    );
  });
});
