/** Another program in every pod, written from the contract's digest and unlike ours in all it leaves open: the platform works with it as with its own. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bundleOtherRuntime } from '@bravo/testing/other-runtime/bundle-other-runtime';
import { askForProgram, usePlatform } from './support/platform.ts';
import { TERMINAL } from './support/rest-client.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'bravo-other-runtime-'));
const program = path.join(directory, 'other-runtime.mjs');
beforeAll(async () => {
  chmodSync(directory, 0o755);
  await bundleOtherRuntime(program);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

// Its pods keep nothing of what they hear: what a pod may hear is the broker's to decide, and is searched for with ours.
const stage = usePlatform({ BRAVO_POD_PROGRAM: program }, { recordPods: false });

describe('the other runtime in every pod', () => {
  it('has a program approved, run and answered, with one terminal event and its tokens counted [pod.any-runtime]', async () => {
    const { alice } = stage;
    const conversation = await alice.createConversation();
    const { log, question, toolCall } = await askForProgram(alice, conversation);
    expect(question.data).toMatchObject({ tool: 'execute_script', input: { code: 'print(6*7)' } });
    expect((await alice.answer(conversation, toolCall, 'approve', { trust_output: true })).status).toBe(200);
    await log.terminal();
    expect(log.text()).toContain('42');
    expect(log.events.filter(({ event }) => TERMINAL.includes(event))).toHaveLength(1);
    expect(log.events.at(-1)).toMatchObject({ event: 'message_end', data: { usage: { input_tokens: expect.any(Number) } } });
  });

  it('hears a denial, goes on in the same conversation, and is told the history by a fresh pod', async () => {
    const { alice } = stage;
    const conversation = await alice.createConversation();
    const { log, toolCall } = await askForProgram(alice, conversation);
    expect((await alice.answer(conversation, toolCall, 'deny')).status).toBe(200);
    await log.terminal();
    expect(log.text()).not.toContain('42');
    const again = await alice.say(conversation, 'hello again');
    expect(await again.terminal()).toMatchObject({ event: 'message_end' });
    for (const pid of await stage.platform.podPids()) process.kill(pid, 'SIGKILL');
    const fresh = await alice.say(conversation, 'hello from a fresh pod');
    expect(await fresh.terminal()).toMatchObject({ event: 'message_end' });
  });

  it('stops when the person does, also while it waits for an answer', async () => {
    const { alice } = stage;
    const conversation = await alice.createConversation();
    const { log } = await askForProgram(alice, conversation);
    expect((await alice.call('POST', `/bravo/conversations/${conversation}/cancel`)).status).toBeLessThan(300);
    expect(await log.terminal()).toMatchObject({ event: 'error', data: { code: 'turn_cancelled' } });
    const next = await alice.say(conversation, 'hello');
    expect(await next.terminal()).toMatchObject({ event: 'message_end' });
  });
});
