import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '@bravo/testing';
import { useBroker } from '../broker.fixture.ts';
import { openClient } from '../raw-mcp-client.fixture.ts';
import { MAX_LATELY, MAX_WAITING, refuseQuestion } from './limit-questions.ts';

describe('questions of one conversation [approval.flood]', () => {
  it.each([
    ['none', { waiting: 0, lately: 0 }, undefined],
    ['one less than may wait', { waiting: MAX_WAITING - 1, lately: 0 }, undefined],
    ['as many as may wait', { waiting: MAX_WAITING, lately: 0 }, /wait for the person/],
    ['one less than may be asked in a while', { waiting: 0, lately: MAX_LATELY - 1 }, undefined],
    ['as many as may be asked in a while', { waiting: 0, lately: MAX_LATELY }, /within ten minutes/],
  ])('%s', (_, asked, said) => {
    if (said === undefined) expect(refuseQuestion(asked)).toBeUndefined();
    else expect(refuseQuestion(asked)).toMatch(said);
  });

  const bed = useBroker({ holdSeconds: 1 });

  it('are refused past the limit, on record, and the identical call still meets its own [approval.flood]', async () => {
    const talk = await bed.begin();
    const { conversationId } = talk;
    const client = await openClient(bed, talk);
    const ask = (code: string) => client.call('execute_script', { language: 'python', code });
    const first = await ask('0');
    expect(first.text).toMatch(/^waiting for approval/);
    const [row] = await bed.database.approval.findMany({ where: { conversationId } });
    const call = await bed.database.toolCall.findUniqueOrThrow({ where: { id: row!.toolCallId } });
    for (let at = 1; at < MAX_WAITING; at += 1) {
      const toolCallId = `${call.id}_${at}`;
      await bed.database.toolCall.create({ data: { ...call, id: toolCallId } });
      await bed.database.approval.create({
        data: { ...row!, id: `${row!.id}_${at}`, toolCallId, callDigest: `digest ${at}` },
      });
    }
    const refused = await ask('one more');
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringMatching(/questions of this conversation wait/),
    });
    expect((await ask('0')).text).toMatch(/^waiting for approval/);
    await waitUntil('the refusal on record', async () =>
      (await bed.trail(talk)).some(
        ({ type, data }) => type === 'agent.tool.decided' && JSON.stringify(data).includes('too_many_questions'),
      ),
    );
    expect(await bed.database.approval.count({ where: { conversationId, status: 'pending' } })).toBe(MAX_WAITING);
    const neighbour = await bed.begin();
    expect(
      (await (await openClient(bed, neighbour)).call('execute_script', { language: 'python', code: '1' })).text,
    ).toMatch(/^waiting/);
  }, 60_000);
});
