/** Time can only refuse: a question nobody answers expires, and a call held too long is told where it waits. */
import { describe, expect, it } from '@jest/globals';
import { eventually } from './support/eventually.ts';
import { askForProgram, usePlatform } from './support/platform.ts';

const stage = usePlatform({ BRAVO_APPROVAL_TTL_SECONDS: '6', BRAVO_HOLD_BRAVO_SECONDS: '2', BRAVO_POD_IDLE_SECONDS: '3' });

describe('a question', () => {
  it('outlives the turn that asked, and its answer continues the work in a new turn, once [approval.survives]', async () => {
    const { alice } = stage;
    const conversation = await alice.createConversation();
    const events = await alice.follow(conversation);
    const { log, toolCall } = await askForProgram(alice, conversation);
    await log.terminal();
    expect(log.text()).toMatch(/wait/i);
    expect((await alice.answer(conversation, toolCall, 'approve', { trust_output: true })).status).toBe(200);
    await events.until((event) => event.event === 'content_delta' && events.text().includes('42'));
    await eventually('the second turn to end', async () => events.count('message_end') === 2);
    const executed = (await alice.trail(conversation)).filter((entry) => entry.type === 'agent.code.executed');
    expect(executed).toHaveLength(1);
    events.close();
  });

  it('that nobody answers expires, which refuses it for good [approval.expiry]', async () => {
    const { alice } = stage;
    const conversation = await alice.createConversation();
    const events = await alice.follow(conversation);
    const { toolCall } = await askForProgram(alice, conversation);
    await events.until((event) => event.event === 'approval_resolved' && event.data['decision'] === 'expired');
    expect(await alice.answer(conversation, toolCall, 'approve')).toMatchObject({ status: 409, body: { code: 'approval_expired' } });
    const types = (await alice.trail(conversation)).map((entry) => entry.type);
    expect(types).not.toContain('agent.code.executed');
    await eventually('the expiry in the trail', async () => (await alice.trail(conversation)).some((entry) => entry.type === 'agent.tool.expired'));
    events.close();
  });
});

describe('a pod', () => {
  it('is recycled when idle, and the next message gets a fresh one with the transcript [pod.no-orphan]', async () => {
    const { alice, platform } = stage;
    const conversation = await alice.createConversation();
    await (await alice.say(conversation, 'what can you do?')).terminal();
    await eventually('the pod to be released', async () => (await alice.trail(conversation)).some((entry) => entry.type === 'agent.pod.released'));
    const next = await alice.say(conversation, 'list files');
    expect(await next.terminal()).toMatchObject({ event: 'message_end' });
    await alice.send('DELETE', `/bravo/conversations/${conversation}`);
    expect((await alice.call('POST', `/bravo/conversations/${conversation}/messages`, { content: 'hello' })).body).toMatchObject({ code: 'conversation_ended' });
    await eventually('no more pods than the warm ones', async () => (await platform.podPids()).length <= 2);
  });
});
