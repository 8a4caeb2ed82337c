/** Permission rules at the edge: settings as identity stores them, calls as an agent makes them. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Layers, type Talk, useBroker } from '../broker.fixture.ts';
import { pause, questionsOf, SCRIPT } from '../questions.fixture.ts';
import { openClient } from '../raw-mcp-client.fixture.ts';

const bed = useBroker();
const { pendingOf, answer, rowsOf, ranOf } = questionsOf(bed);

afterEach(() => {
  bed.identity.hidesSettings = false;
});

const permissions = (lists: Record<string, readonly string[]>) => ({ permissions: lists });
const begin = async (layers: Layers) => {
  const talk = await bed.begin('coworker', layers);
  bed.sandbox.files.set(`${talk.conversationId}/secret/a.txt`, Buffer.from('s3cret'));
  return { talk, client: await openClient(bed, talk) };
};
const explain = async (talk: Talk, tool: string, input: object, conversationId = talk.conversationId) => {
  const gateway = await bed.as('gateway');
  try {
    return await gateway.explainCall({ conversationId, tool, inputJson: JSON.stringify(input) }, bed.person(talk));
  } finally {
    gateway.close();
  }
};
const outcomes = ({ steps }: { steps: { step: string; outcome: string }[] }) =>
  steps.filter(({ outcome }) => outcome !== 'passed').map(({ step, outcome }) => `${step} ${outcome}`);

describe('a rule of settings', () => {
  it('refuses a read by its layer, which the agent, the record and the trail are told [hostile.recorded] [settings.rules]', async () => {
    const { talk, client } = await begin({ user: permissions({ deny: ['Read(secret/**)'] }) });
    const words = 'The user rule "Read(secret/**)" denies this call.';
    expect(await client.call('read_file', { path: './secret/a.txt' })).toEqual({
      isError: true,
      text: `Refused: ${words}`,
    });
    expect((await client.call('list_files', { directory: 'secret' })).text).toContain(words);
    expect((await client.call('execute_script', { ...SCRIPT, files: ['secret/a.txt'] })).text).toContain(words);
    expect((await client.call('write_file', { path: 'secret/b.txt', contents: '' })).text).toContain(words);
    expect((await client.call('read_file', { path: 'other.txt' })).text).not.toContain('rule');
    expect(await bed.trail(talk)).toContainEqual(
      expect.objectContaining({
        type: 'agent.tool.decided',
        data: expect.objectContaining({
          effect: 'deny',
          step: 'deny_rules',
          rule: 'Read(secret/**)',
          reasons: [{ code: 'deny_rule', text: words }],
        }),
      }),
    );
    expect(ranOf(talk)).toBe(0);
  });

  it('that denies reading a directory takes it and what is below it out of a listing, and says how much [settings.listing]', async () => {
    const { talk, client } = await begin({ user: permissions({ deny: ['Read(secret/**)', 'Read(**/.env)'] }) });
    for (const name of ['a.txt', 'secret/deep/b.txt', 'app/.env', 'app/main.ts'])
      bed.sandbox.files.set(`${talk.conversationId}/${name}`, Buffer.from('x'));
    const { text } = await client.call('list_files', { depth: 9 });
    expect(text).toContain('The workspace has 2 entries.');
    expect(text).toContain('3 entries are withheld: a permission rule denies reading there.');
    const gateway = await bed.as('gateway');
    const { toolCalls } = await gateway.listToolCalls({ conversationId: talk.conversationId }, bed.person(talk));
    gateway.close();
    expect(toolCalls[0]?.refs.map(({ name }) => name).sort()).toEqual(['a.txt', 'app/main.ts']);
  });

  it('that allows decides nothing where nobody looks on; one that denies or asks does [settings.unattended]', async () => {
    const layers = {
      user: permissions({ allow: ['Edit(notes/**)'], deny: ['Read(secret/**)'], ask: ['Read(a.txt)'] }),
    };
    const talk = await bed.begin('coworker', layers, true);
    const judged = async (tool: string, input: object) => {
      const { effect, step } = await explain(talk, tool, input);
      return `${effect} ${step}`;
    };
    expect(await judged('write_file', { path: 'notes/a.txt', contents: '' })).toBe('ask default_gate');
    expect(await judged('read_file', { path: 'secret/a' })).toBe('deny deny_rules');
    expect(await judged('read_file', { path: 'a.txt' })).toBe('ask ask_rules');
    const watched = await bed.begin('coworker', layers);
    expect(await explain(watched, 'write_file', { path: 'notes/a.txt', contents: '' })).toMatchObject({
      effect: 'allow',
      rule: 'Edit(notes/**)',
    });
  });

  it('lets a write through unasked, and elsewhere it is asked as before', async () => {
    const { talk, client } = await begin({ user: permissions({ allow: ['Edit(notes/**)'] }) });
    expect((await client.call('write_file', { path: 'notes/a.txt', contents: 'x' })).isError).toBe(false);
    expect(await rowsOf(talk)).toEqual([]);
    const held = client.call('write_file', { path: 'b.txt', contents: 'x' });
    await pendingOf(talk);
    await answer(talk, 'deny');
    expect((await held).isError).toBe(true);
    expect(bed.sandbox.files.has(`${talk.conversationId}/b.txt`)).toBe(false);
  });

  it('that asks goes before one that allows, from whatever layer [policy.rules] [settings.restrict]', async () => {
    const { talk, client } = await begin({
      workspace: permissions({ ask: ['Edit'] }),
      user: permissions({ allow: ['Edit(notes/**)'] }),
    });
    const held = client.call('write_file', { path: 'notes/a.txt', contents: 'x' });
    expect(JSON.parse((await pendingOf(talk)).asks)[0]).toEqual({
      code: 'ask_rule',
      text: 'The workspace rule "Edit" asks before this call.',
    });
    await answer(talk, 'approve');
    expect((await held).isError).toBe(false);
  });

  it('about the whole family reaches a program, and none grants it', async () => {
    const denied = await begin({ user: permissions({ deny: ['Bash'] }) });
    expect((await denied.client.call('execute_script', SCRIPT)).text).toContain('The user rule "Bash" denies');
    const allowed = await begin({ user: permissions({ allow: ['Bash'] }) });
    const held = allowed.client.call('execute_script', SCRIPT);
    await answer(allowed.talk, 'deny');
    expect((await held).isError).toBe(true);
  });

  it('is of the settings the conversation began with; another policy is another version [authority.future]', async () => {
    const { talk, client } = await begin({ user: permissions({ deny: ['Read(secret/**)'] }) });
    const before = await explain(talk, 'read_file', { path: 'secret/a.txt' });
    bed.identity.settings.set(`user:${talk.workspaceId}:${talk.userId}`, '{}');
    // As long as an answer about access may be remembered.
    await pause(1_000);
    expect((await client.call('read_file', { path: 'secret/a.txt' })).text).toContain('denies this call');
    const next = await explain(talk, 'read_file', { path: 'secret/a.txt' }, '');
    expect(next.effect).toBe('allow');
    expect(next.policyVersion).not.toBe(before.policyVersion);
  });

  it('that cannot be read back denies everything; settings that cannot be read begin nothing [policy.total]', async () => {
    const { talk, client } = await begin({});
    await bed.database.conversation.update({
      where: { id: talk.conversationId },
      data: { settings: '[{"layer":"user"}]' },
    });
    expect((await client.call('list_files', {})).text).toContain(
      'The settings this conversation began with cannot be read.',
    );
    bed.identity.hidesSettings = true;
    await expect(bed.begin()).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('an explanation', () => {
  it('is what would happen, and leaves nothing behind', async () => {
    const { talk } = await begin({ user: permissions({ deny: ['Read(secret/**)'], allow: ['Edit(notes/**)'] }) });
    const rows = () =>
      Promise.all([bed.database.toolCall.count(), bed.database.approval.count(), bed.database.outbox.count()]);
    const before = await rows();
    const denied = await explain(talk, 'read_file', { path: 'secret/a.txt' });
    expect(denied).toMatchObject({
      effect: 'deny',
      step: 'deny_rules',
      rule: 'Read(secret/**)',
      layer: 'user',
      advice: [expect.stringContaining('narrowed')],
    });
    expect(denied.steps).toHaveLength(11);
    expect(outcomes(denied)[0]).toBe('deny_rules decided');
    const allowed = await explain(talk, 'write_file', { path: 'notes/a.txt', contents: 'x' });
    expect(allowed).toMatchObject({ effect: 'allow', rule: 'Edit(notes/**)', layer: 'user' });
    expect(outcomes(allowed)).toEqual(['standing_answers decided', 'default_gate asks']);
    expect(await explain(talk, 'execute_script', SCRIPT)).toMatchObject({ effect: 'ask', step: 'ask_rules', rule: '' });
    expect(await explain(talk, 'no_such_tool', {})).toMatchObject({ effect: 'deny', step: 'tool_offered' });
    expect(await explain(talk, 'write_file', { path: 'notes/a.txt', contents: '' }, '')).toMatchObject({
      effect: 'allow',
    });
    expect(await rows()).toEqual(before);
    expect(bed.sandbox.writes.filter((path) => path.startsWith(talk.conversationId))).toEqual([]);
  });

  it.each([
    ['a path that climbs', 'read_file', { path: '../outside.txt' }],
    ['an absolute one', 'read_file', { path: '/etc/passwd' }],
    ['one that climbs in the middle', 'read_file', { path: 'notes/../../a.txt' }],
    ['one that climbs and comes back', 'read_file', { path: 'notes/../a.txt' }],
    ['one that hides what it says', 'read_file', { path: 'a\u202eb' }],
    ['one too deep', 'read_file', { path: `${'d/'.repeat(40)}a` }],
    ['a name too long', 'read_file', { path: 'n'.repeat(300) }],
    ['one of too many bytes', 'read_file', { path: 'é/'.repeat(400) }],
    ['one to write to', 'write_file', { path: '../outside.txt', contents: 'x' }],
    ['a directory', 'list_files', { directory: '..' }],
    ['a file of a program', 'execute_script', { ...SCRIPT, files: ['a/../../b.txt'] }],
  ] as const)('of %s refuses before a conversation begins as the call then is', async (_what, tool, input) => {
    const { talk, client } = await begin({});
    const made = await client.call(tool, input);
    const explained = await explain(talk, tool, input, '');
    const within = await explain(talk, tool, input);
    expect(made.isError).toBe(true);
    const { effect, step, reasons, advice } = within;
    expect(explained).toMatchObject({ effect, step, reasons, advice });
    expect({ effect, reasons }).toEqual({
      effect: 'deny',
      reasons: [{ code: 'facts_unreadable', text: expect.stringMatching(/^The path ".*\.$/) }],
    });
    expect(made.text).toContain(reasons[0]?.text);
  });

  it("is of one's own conversation alone, and of arguments the tool takes [tenancy.foreign-id]", async () => {
    const { talk } = await begin({});
    const other = await bed.begin();
    await expect(explain(other, 'list_files', {}, talk.conversationId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(explain(talk, 'read_file', { path: 5 })).rejects.toMatchObject({
      code: 'invalid_argument',
      meta: { field: 'input' },
    });
    await expect(explain(talk, 'read_file', { path: 'a\0b' }, '')).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(explain(talk, 'read_file', ['a'])).rejects.toMatchObject({ code: 'invalid_argument' });
    bed.identity.roles.set(talk.userId, 'viewer');
    expect(await explain(talk, 'execute_script', SCRIPT)).toMatchObject({ effect: 'deny', step: 'own_permission' });
  });
});
