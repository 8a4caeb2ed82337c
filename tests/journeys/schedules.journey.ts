/** Loops and watches through real processes: asked again by themselves, once per due time whatever is killed meanwhile, until their person or their time ends them. */
import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { eventually } from './support/eventually.ts';
import { usePlatform } from './support/platform.ts';
import type { RestClient } from './support/rest-client.ts';

const stage = usePlatform();
const checkout = path.resolve(import.meta.dirname, '../..');
const at = (conversation: string, rest = '') => `/bravo/conversations/${conversation}${rest}`;

interface Scheduled {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly fires: number;
  readonly end_reason: string;
}
const schedulesOf = async (client: RestClient, conversation: string) =>
  (await client.get(at(conversation, '/schedules'))).schedules as Scheduled[];
const messagesOf = async (client: RestClient, conversation: string) =>
  (await client.get(at(conversation))).messages as { role: string; content: string; status: string }[];
const firedOf = async (client: RestClient, conversation: string) =>
  (await client.trail(conversation)).filter(({ type }) => type === 'agent.schedule.fired').map(({ data }) => String(data['work_id']));

describe('a loop', () => {
  it('asks the line again by itself, once per due time though the broker and the orchestrator are killed, until its person stops it [schedules.once] [schedules.crash] [schedules.own-line] [schedules.cancel]', async () => {
    const { alice, platform } = stage;
    const conversation = await alice.createConversation();
    expect((await alice.call('POST', at(conversation, '/messages'), { content: '/loop 4s list files' })).status).toBe(400);
    await alice.send('POST', at(conversation, '/schedules'), { kind: 'loop', line: 'list files', every_seconds: 5 });
    for (const [fires, victim] of [[2, 'tool-broker'], [3, 'agent-orchestrator']] as const) {
      await eventually(`${fires} turns`, async () => ((await schedulesOf(alice, conversation))[0]?.fires ?? 0) >= fires);
      await platform.kill(victim);
      await platform.waitReady(victim);
    }
    const [loop] = await eventually('one more', async () => {
      const found = await schedulesOf(alice, conversation);
      return (found[0]?.fires ?? 0) >= 4 && found;
      // A turn that lost its orchestrator is taken over when the lease has run out.
    }, 90_000);
    expect((await alice.call('DELETE', at(conversation, `/schedules/${loop!.id}`))).status).toBe(204);
    await eventually('the turns to be over', async () => (await alice.get(at(conversation))).conversation.running_turn_id === '');
    const [ended] = await schedulesOf(alice, conversation);
    expect(ended).toMatchObject({ status: 'ended', end_reason: 'person' });
    const work = await eventually('the trail of every firing', async () => {
      const found = await firedOf(alice, conversation);
      return found.length === ended!.fires - 1 && found;
    });
    expect(new Set(work).size).toBe(work.length);
    const asked = (await messagesOf(alice, conversation)).filter(({ role }) => role === 'system').map(({ content }) => content);
    // Each firing is one turn on the line; one that was stopped before it was a turn is none.
    expect(asked.length).toBeLessThanOrEqual(work.length);
    expect(asked.length).toBeGreaterThanOrEqual(work.length - 1);
    expect(new Set(asked)).toEqual(new Set(['list files']));
  });

  it('is listed, begun and stopped from the command line', async () => {
    const { alice, platform } = stage;
    const conversation = await alice.createConversation();
    const bravo = async (...args: string[]) =>
      (await promisify(execFile)(path.join(checkout, 'bravo'), ['schedules', ...args, '--as', 'alice', '--conversation', conversation], { env: { ...process.env, BRAVO_HOME: platform.home } })).stdout;
    expect(await bravo()).toBe('Nothing is scheduled in this conversation.\n');
    await bravo('loop', '--line', 'list files', '--seconds', '3600');
    const { id } = await eventually('the loop', async () => (await schedulesOf(alice, conversation))[0]);
    expect(await bravo()).toContain(`${id}  loop every 3600 s, 1 turn(s)`);
    expect(await bravo('stop', id)).toContain('is stopped');
    expect(await bravo()).toContain('ended: You stopped it.');
  });
});

describe('a watch', () => {
  it('has the line asked again when its file changes, and nothing of the file goes along [schedules.watch] [schedules.own-line]', async () => {
    const { alice } = stage;
    const conversation = await alice.createConversation();
    const put = async (text: string) => {
      const log = await alice.say(conversation, `write a file notes.txt with ${text}`);
      await alice.answer(conversation, String((await log.until('needs_approval')).data['id']), 'approve');
      await log.terminal();
    };
    await put('one');
    const log = await alice.say(conversation, 'watch notes.txt');
    await log.terminal();
    expect(log.text()).toContain('The file is watched');
    expect(await schedulesOf(alice, conversation)).toMatchObject([{ kind: 'watch', status: 'live', fires: 0 }]);
    await put('SECRET-WORDS');
    const asked = await eventually('the firing', async () => {
      const found = (await messagesOf(alice, conversation)).filter(({ role, content }) => role === 'system' && content.startsWith('[platform] The file'));
      return found.length > 0 && found;
    });
    expect(JSON.stringify(asked)).not.toContain('SECRET-WORDS');
    expect(asked[0]?.content).toBe('[platform] The file "notes.txt" that you watch has changed. What the person had asked then:\nwatch notes.txt');
  });
});
