/** Every service dies in turn while a question waits; the question survives and the work continues once. */
import { describe, expect, it } from '@jest/globals';
import { callWithYes } from '../hostile/support/person-side.ts';
import { sitDown } from '../hostile/support/sit-down.ts';
import { eventually } from './support/eventually.ts';
import { askForProgram, usePlatform } from './support/platform.ts';
import { TERMINAL } from './support/rest-client.ts';

const stage = usePlatform({ BRAVO_LEASE_SECONDS: '3' });

describe('while a question waits', () => {
  it.each(['gateway', 'identity', 'agent-orchestrator', 'model-gateway', 'tool-broker', 'sandbox-runner', 'audit', 'automation'])(
    '%s is killed: the answer still leads to one execution and an answer [approval.survives] [approval.once] [turn.not-rerun]',
    async (service) => {
      const { alice, platform } = stage;
      const conversation = await alice.createConversation();
      const { toolCall } = await askForProgram(alice, conversation, `print(6*7, '${service}')`);
      await platform.kill(service);
      await platform.waitReady(service);
      const events = await eventually('the stream after the crash', () => alice.follow(conversation, `${conversation}:0`));
      const answer = await eventually('the answer to be taken', async () => {
        const reply = await alice.answer(conversation, toolCall, 'approve', { trust_output: true });
        return reply.status === 200 || reply.status === 409 ? reply : undefined;
      });
      expect(answer.status).toBe(200);
      await events.until(() => events.text().includes(`42 ${service}`), 60_000);
      await eventually('one execution in the trail', async () => (await alice.trail(conversation)).filter((entry) => entry.type === 'agent.code.executed').length === 1);
      // The first turn may have ended long ago, so the end of the one that answered is looked for by number.
      const ends = (): number => events.events.filter((event) => TERMINAL.includes(event.event)).length;
      await events.until(() => ends() === events.count('message_start'));
      expect(ends()).toBe(events.count('message_start'));
      events.close();
      await alice.send('DELETE', `/bravo/conversations/${conversation}`);
    },
  );

  it('its pod is killed: one terminal event, and the conversation goes on [turn.pod-death]', async () => {
    const { alice, platform } = stage;
    const conversation = await alice.createConversation();
    const before = new Set(await platform.podPids());
    const { log } = await askForProgram(alice, conversation);
    const details = (await alice.get(`/bravo/conversations/${conversation}`)) as { conversation: { pod_pid?: number } };
    expect(details.conversation.pod_pid).toBeUndefined();
    for (const pid of before) process.kill(pid, 'SIGKILL');
    expect(await log.terminal()).toMatchObject({ event: 'error', data: { code: 'turn_interrupted', retryable: true } });
    const again = await alice.say(conversation, 'what can you do?');
    expect(await again.terminal()).toMatchObject({ event: 'message_end' });
  });

  it('the sandbox-runner is killed: files are as they were, found by search and changed only over what was seen [workspace.survives]', async () => {
    const { alice, platform } = stage;
    const seat = await sitDown(platform, 'alice');
    await callWithYes(alice, seat, 'write_file', { path: 'notes/plan.txt', contents: 'first line\nthe needle is here\n' });
    const found = await seat.call('search', { pattern: ['needle$', 'the n.*e'], include: 'notes/*.txt' });
    expect(found.out).toContain('notes/plan.txt:2: the needle is here');
    await platform.kill('sandbox-runner');
    await platform.waitReady('sandbox-runner');
    const read = await eventually('the file to be read again', async () => {
      const reply = await seat.call('read_file', { path: 'notes/plan.txt' });
      return !reply.refused && reply;
    });
    expect(read.out).toContain('the needle is here');
    expect((await seat.call('search', { pattern: 'nowhere' })).out).toContain('No line matches in the 1 file');
    expect((await seat.call('search', { pattern: '(?=a)' })).refused).toBe(true);
  });

  it('the log still verifies and no producer has a hole [trail.complete] [trail.verify]', async () => {
    const { alice } = stage;
    const verified = await eventually('the log to be signed to its end', async () => {
      const answer = (await alice.get('/audit/verify')) as { ok: boolean; size: number; checkpoint_size: number; gaps: string[] };
      return answer.size === answer.checkpoint_size && answer;
    });
    expect(verified).toMatchObject({ ok: true, gaps: [] });
  });
});
