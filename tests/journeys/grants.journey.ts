/** Grants through real processes: given by REST, with a yes and for a step-up; over when revoked, when their time is, with a demotion and with the conversation. And the two layers a conversation has to itself. */
import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { eventually } from './support/eventually.ts';
import { askForProgram, usePlatform } from './support/platform.ts';
import type { RestClient } from './support/rest-client.ts';

const stage = usePlatform();
const checkout = path.resolve(import.meta.dirname, '../..');
const at = (conversation: string, rest = '') => `/bravo/conversations/${conversation}${rest}`;

/** Says it, and waits for the end of the turn or the question. */
const say = async (client: RestClient, conversation: string, words: string) => {
  const log = await client.say(conversation, words);
  await log.until(({ event }) => ['message_end', 'error', 'needs_approval'].includes(event));
  return log;
};
const lastCall = async (client: RestClient, conversation: string) =>
  ((await client.get(at(conversation, '/tool-calls'))).tool_calls as { tool: string; status: string; output: string }[]).at(-1)!;
const liveGrants = async (client: RestClient, conversation: string) => (await client.get(at(conversation, '/grants'))).grants as { id: string }[];

describe('a grant', () => {
  it('by REST lets its path through until it is revoked, and its time ends it [grants.scope] [grants.revoked] [grants.bounded] [grants.owner]', async () => {
    const { alice, bob } = stage;
    const conversation = await alice.createConversation();
    const grant = await alice.send('POST', at(conversation, '/grants'), { tool: 'write_file', scope: { path: 'a.txt' } });
    expect(grant).toMatchObject({ source: 'person', scope: { path: 'a.txt' } });
    expect((await say(alice, conversation, 'write a file a.txt with one')).count('needs_approval')).toBe(0);
    expect(await lastCall(alice, conversation)).toMatchObject({ tool: 'write_file', status: 'completed' });
    expect((await bob.call('GET', at(conversation, '/grants'))).status).toBe(404);
    expect((await bob.call('DELETE', at(conversation, `/grants/${grant.id}`))).status).toBe(404);

    expect((await alice.call('DELETE', at(conversation, `/grants/${grant.id}`))).status).toBe(204);
    const asked = await say(alice, conversation, 'write a file a.txt with two');
    await alice.answer(conversation, String((await asked.until('needs_approval')).data['id']), 'deny');
    await asked.terminal();

    expect((await alice.call('POST', at(conversation, '/grants'), { tool: 'write_file', scope: { path: 'a.txt' }, ttl_seconds: 28_801 })).status).toBe(400);
    await alice.send('POST', at(conversation, '/grants'), { tool: 'write_file', scope: { path: 'a.txt' }, ttl_seconds: 1 });
    await eventually('the end of its time', async () => (await liveGrants(alice, conversation)).length === 0);
    const later = await say(alice, conversation, 'write a file a.txt with three');
    await alice.answer(conversation, String((await later.until('needs_approval')).data['id']), 'deny');
    await later.terminal();
  });

  it('with a yes runs the identical program again unasked, and ends with the conversation [grants.approval] [grants.end]', async () => {
    const { alice } = stage;
    const conversation = await alice.createConversation();
    const { log, question, toolCall } = await askForProgram(alice, conversation);
    expect(question.data['grant_scope']).toMatchObject({ code: expect.stringContaining('print(6*7)') });
    const answer = await alice.send('POST', at(conversation, `/tool-calls/${toolCall}/approve`), { grant: { ttl_seconds: 600 } });
    expect(answer.grant_id).toMatch(/^grt_/);
    await log.terminal();
    expect((await say(alice, conversation, 'run this python: print(6*7)')).count('needs_approval')).toBe(0);
    expect(await lastCall(alice, conversation)).toMatchObject({ tool: 'execute_script', status: 'completed' });
    expect((await alice.call('DELETE', at(conversation))).status).toBe(204);
    const ends = await eventually('the end of the grant on the trail', async () =>
      (await alice.trail(conversation)).find(({ type }) => type === 'agent.grant.revoked'),
    );
    expect(ends.data).toEqual({ grant_id: answer.grant_id, reason: 'the conversation ended' });
  });

  it('for a step-up lets the refused call through by itself, the mode stays, and a demotion ends it [grants.step-up] [grants.permission]', async () => {
    const { alice, bob } = stage;
    const { members } = (await alice.get('/members')) as { members: { person: { id: string; name: string } }[] };
    const bobId = members.find(({ person }) => person.name === 'bob')?.person.id;
    const conversation = await bob.createConversation({ mode: 'ask' });
    const log = await say(bob, conversation, 'write a file a.txt with one');
    const { data } = await log.until('step_up');
    expect(data).toMatchObject({ current_mode: 'ask', required_mode: 'coworker', grant_scope: { path: 'a.txt' } });
    expect((await bob.call('POST', at(conversation, `/tool-calls/${String(data['id'])}/step-up`), {})).status).toBe(201);
    await eventually('the write that goes on', async () => (await lastCall(bob, conversation)).status === 'completed');
    expect((await bob.get(at(conversation))).conversation.mode).toBe('ask');
    await say(bob, conversation, 'write a file b.txt with one');
    expect(await lastCall(bob, conversation)).toMatchObject({ status: 'refused', output: expect.stringContaining('ask mode') });

    await alice.send('PUT', `/members/${bobId}`, { role: 'viewer' });
    try {
      await say(bob, conversation, 'write a file a.txt with two');
      expect(await lastCall(bob, conversation)).toMatchObject({ status: 'refused', output: expect.stringContaining('manage_files') });
    } finally {
      await alice.send('PUT', `/members/${bobId}`, { role: 'member' });
    }
  });
});

describe('the command line', () => {
  it('gives a grant, lists it and takes it back, and a conversation begun unattended says so [grants.revoked]', async () => {
    const { alice, platform } = stage;
    const conversation = await alice.createConversation({ unattended: true });
    expect((await alice.get(at(conversation))).conversation).toMatchObject({ unattended: true });
    const run = async (...args: string[]) => {
      const words = ['--conditions=source', path.join(checkout, 'tools/cli/main.ts'), 'grants', ...args, '--as', 'alice', '--conversation', conversation];
      return (await promisify(execFile)(process.execPath, words, { env: { PATH: process.env['PATH'] ?? '', BRAVO_HOME: platform.home } })).stdout;
    };
    const scope = JSON.stringify({ language: 'python', code: 'print(\u202e1)' });
    const given = await run('give', '--tool', 'execute_script', '--scope', scope, '--seconds', '600');
    expect(given).toMatch(/^grt_\w+ {2}execute_script {2}until .* \(person\)\n/);
    expect(given).toMatch(/\n {4}code = "print\([^\u202e]*202e[^\u202e]*1\)"\n/i);
    const id = given.split(' ')[0]!;
    expect(await run()).toContain(id);
    expect(await run('revoke', id)).toContain('is revoked');
    expect(await run('list')).toBe('No grant is live in this conversation.\n');
    await expect(run('revoke', id.replace(/.$/, '!'))).rejects.toThrow(/no such grant/);
  });
});

describe('the layers of one conversation', () => {
  it("hold from the next call on: a person's own, and a file among the files, whose allow rules wait; its own end with it [settings.repository] [settings.repository-kept]", async () => {
    const { alice, bob } = stage;
    const conversation = await alice.createConversation();
    await alice.send('PUT', `/bravo/settings/conversation?conversation=${conversation}`, { permissions: { allow: ['Edit(.bravo/**)'] } });
    expect((await bob.call('PUT', `/bravo/settings/conversation?conversation=${conversation}`, {})).status).toBe(404);
    const document = JSON.stringify({ permissions: { deny: ['Read(/secret/**)'], allow: ['Edit(notes/**)'] }, model: 'other' });
    expect((await say(alice, conversation, `write a file .bravo/settings.json with ${document}`)).count('needs_approval')).toBe(0);
    await say(alice, conversation, 'show secret/a.txt');
    expect(await lastCall(alice, conversation)).toMatchObject({ status: 'refused', output: expect.stringContaining('The repository rule') });
    await say(alice, conversation, 'write a file .bravo/settings.json with {}');
    await say(alice, conversation, 'show secret/a.txt');
    expect(await lastCall(alice, conversation)).toMatchObject({ status: 'refused' });

    const told = await alice.get(`/bravo/doctor?conversation=${conversation}`);
    expect(told.layers.map(({ layer }: { layer: string }) => layer)).toEqual(['platform', 'workspace', 'user', 'repository', 'conversation']);
    expect(told.findings).toEqual(expect.arrayContaining([expect.objectContaining({ code: 'ignored', layer: 'repository', key: 'model' })]));
    expect((await alice.get(at(conversation, '/settings/repository'))).proposals).toEqual(['Edit(notes/**)']);
    await alice.send('POST', at(conversation, '/settings/repository/accept'), { rules: ['Edit(notes/**)'] });
    expect((await say(alice, conversation, 'write a file notes/a.txt with hello')).count('needs_approval')).toBe(0);

    const own = `/bravo/settings/conversation?conversation=${conversation}`;
    expect(await alice.get(own)).toMatchObject({ permissions: { allow: ['Edit(.bravo/**)'] } });
    expect((await alice.call('DELETE', at(conversation))).status).toBe(204);
    await eventually('the end of its settings', async () => Object.keys(await alice.get(own)).length === 0);
    expect((await alice.call('PUT', own, { model: 'x' })).status).toBe(409);
  });
});

describe('a settings file of another tool', () => {
  it.each(['claude-code.json', 'brave-bot.json', 'opencode.json'])('%s is taken unedited, and the doctor says what of it holds [settings.doctor]', async (name) => {
    const { alice } = stage;
    const file = JSON.parse(readFileSync(path.join(checkout, 'test-vectors/settings-files', name), 'utf8')) as { permissions?: object; provider?: object };
    const written = await alice.call('PUT', '/bravo/settings/workspace', file);
    try {
      expect(written.status).toBe(200);
      const told = await alice.call('GET', '/bravo/doctor');
      expect(told.status).toBe(200);
      const { rules, providers, findings, ok } = told.body as { rules: unknown[]; providers: { id: string; credential: string }[]; findings: { severity: string }[]; ok: boolean };
      expect(ok).toBe(!findings.some(({ severity }) => severity === 'error'));
      if (file.permissions) expect(rules).not.toEqual([]);
      expect(providers.map(({ id }) => id)).toEqual(Object.keys(file.provider ?? {}).filter((id) => id !== 'amazon-bedrock'));
      expect(JSON.stringify(told.body)).not.toContain('sk-');
    } finally {
      await alice.send('PUT', '/bravo/settings/workspace', {});
    }
  });

  it('offers its models beside the others, and none at an address that is not public [settings.provider]', async () => {
    const { alice } = stage;
    const file = JSON.parse(readFileSync(path.join(checkout, 'test-vectors/settings-files/opencode.json'), 'utf8')) as { provider: { lab: object } };
    const offered = async () => (await alice.get('/bravo/models')) as { models: { id: string }[]; notes: string[] };
    const inside = { ...file.provider.lab, options: { baseURL: 'https://169.254.169.254/v1' } };
    await alice.send('PUT', '/bravo/settings/workspace', { provider: { ...file.provider, inside } });
    try {
      const { models, notes } = await eventually('the models of the file', async () => {
        const found = await offered();
        return found.models.length > 1 ? found : undefined;
      });
      expect(models.map(({ id }) => id)).toEqual(['demo', 'lab/qwen3-coder', 'lab/qwen3-mini']);
      expect(notes).toEqual([expect.stringMatching(/^provider\.inside: .*no public host.*workspace settings/)]);
    } finally {
      await alice.send('PUT', '/bravo/settings/workspace', {});
    }
  });
});
