/** Permission rules from the settings a person writes to the call they decide: refused, asked, let through, explained, and on the trail. */
import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { eventually } from './support/eventually.ts';
import { usePlatform } from './support/platform.ts';
import type { RestClient } from './support/rest-client.ts';

const stage = usePlatform();
const checkout = path.resolve(import.meta.dirname, '../..');

const put = (client: RestClient, layer: string, document: unknown, headers: Record<string, string> = {}) =>
  client.call('PUT', `/bravo/settings/${layer}`, document, headers);
const rules = (lists: Record<string, readonly string[]>) => ({ permissions: lists });

/** Says it, and waits for the end of the turn or the question. */
const say = async (client: RestClient, conversation: string, words: string) => {
  const log = await client.say(conversation, words);
  await log.until(({ event }) => ['message_end', 'error', 'needs_approval'].includes(event));
  return log;
};
const callsOf = async (client: RestClient, conversation: string) =>
  (await client.get(`/bravo/conversations/${conversation}/tool-calls`)).tool_calls as {
    tool: string;
    status: string;
    output: string;
    reasons: { code: string; text: string }[];
  }[];

describe('permission rules', () => {
  it('of a person refuse a read by name and layer, which the trail and the explanation tell too [settings.rules] [settings.explain]', async () => {
    const { alice, platform } = stage;
    const written = await put(alice, 'user', rules({ deny: ['Read(secret/**)', 'Raed(x)'] }));
    expect(written).toMatchObject({
      status: 200,
      body: { warnings: [{ code: 'unreadable', key: 'permissions.deny[1]', rule: 'Raed(x)' }] },
    });
    const conversation = await alice.createConversation();
    const words = 'The user rule "Read(secret/**)" denies this call.';
    await say(alice, conversation, 'show secret/a.txt');
    const [call] = await callsOf(alice, conversation);
    expect(call).toMatchObject({ tool: 'read_file', status: 'refused', reasons: [{ code: 'deny_rule', text: words }] });
    const decided = await eventually('the decision on the trail', async () =>
      (await alice.trail(conversation)).find(({ type }) => type === 'agent.tool.decided'),
    );
    expect(decided.data).toMatchObject({ effect: 'deny', rule: 'Read(secret/**)', reasons: [{ text: words }] });

    const question = { tool: 'read_file', input: { path: 'secret/a.txt' }, conversation };
    const before = (await callsOf(alice, conversation)).length;
    expect(await alice.send('POST', '/bravo/explain', question)).toMatchObject({
      effect: 'deny',
      step: 'deny_rules',
      rule: 'Read(secret/**)',
      layer: 'user',
    });
    expect(await callsOf(alice, conversation)).toHaveLength(before);
    expect(await stage.bob.call('POST', '/bravo/explain', question)).toMatchObject({ status: 404 });
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=source', path.join(checkout, 'tools/cli/main.ts'), 'explain', '--as', 'alice', '--tool', 'read_file', '--input', JSON.stringify(question.input), '--conversation', conversation],
      { env: { PATH: process.env['PATH'] ?? '', BRAVO_HOME: platform.home } },
    );
    expect(stdout).toMatch(/^read_file is refused, by the user rule Read\(secret\/\*\*\)\.\n/);
    expect(stdout).toMatch(/ 6 deny_rules +decided +deny_rule\n 7 routing_integrity +not reached\n/);

    // A conversation keeps the settings it began with; the next one begins with what is written now.
    expect((await put(alice, 'user', {})).status).toBe(200);
    await say(alice, conversation, 'show secret/a.txt');
    expect((await callsOf(alice, conversation)).at(-1)).toMatchObject({ status: 'refused' });
    const next = await alice.createConversation();
    await say(alice, next, 'show secret/a.txt');
    expect((await callsOf(alice, next))[0]?.status).not.toBe('refused');
    const changes = ((await alice.get('/audit?type=agent.settings.changed&order=asc')) as { entries: { data: unknown }[] }).entries;
    expect(changes.map(({ data }) => data)).toEqual([
      { layer: 'user', version: 1, changed: ['permissions.deny'] },
      { layer: 'user', version: 2, changed: ['permissions.deny'] },
    ]);
  });

  it('that allow let a write through unasked and elsewhere it asks; one of the workspace that asks goes before [settings.rules]', async () => {
    const { alice } = stage;
    await put(alice, 'user', rules({ allow: ['Edit(notes/**)'] }));
    const conversation = await alice.createConversation();
    const unasked = await say(alice, conversation, 'write a file notes/a.txt with hello');
    expect(unasked.count('needs_approval')).toBe(0);
    expect((await callsOf(alice, conversation))[0]).toMatchObject({ tool: 'write_file', status: 'completed' });
    const asked = await say(alice, conversation, 'write a file other.txt with hello');
    const question = await asked.until('needs_approval');
    await alice.answer(conversation, String(question.data['id']), 'deny');
    await asked.terminal();

    await put(alice, 'workspace', rules({ ask: ['Edit'] }));
    try {
      const next = await alice.createConversation();
      const log = await say(alice, next, 'write a file notes/a.txt with hello');
      const byRule = await log.until('needs_approval');
      expect(byRule.data['asks']).toEqual(
        expect.arrayContaining([{ code: 'ask_rule', text: 'The workspace rule "Edit" asks before this call.' }]),
      );
      await alice.answer(next, String(byRule.data['id']), 'deny');
      await log.terminal();
    } finally {
      await put(alice, 'workspace', {});
      await put(alice, 'user', {});
    }
  });

  it('are written by those whose layer it is, and a document nobody can read is refused with the place [settings.layers]', async () => {
    const { alice, bob, carol } = stage;
    expect((await put(bob, 'workspace', {})).status).toBe(403);
    expect((await put(bob, 'platform', {})).status).toBe(403);
    expect((await put(alice, 'platform', {})).status).toBe(403);
    expect((await alice.call('GET', '/bravo/settings/platform')).status).toBe(403);
    expect((await bob.call('GET', '/bravo/settings/user')).body).toEqual({});
    expect((await carol.call('GET', '/bravo/settings/user')).status).toBe(200);
    const broken = await fetch(`${bob.base}/api/v1/${bob.workspace}/bravo/settings/user`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${bob.token}`, 'content-type': 'application/json' },
      body: '{"model": "a",\n "model": "b"}',
    });
    expect(broken.status).toBe(400);
    expect(((await broken.json()) as { detail: string }).detail).toContain('line 2, column 2');
    const schema = await bob.call('GET', '/bravo/settings/schema');
    expect(schema.headers.get('content-type')).toMatch(/^application\/schema\+json/);
  });
});
