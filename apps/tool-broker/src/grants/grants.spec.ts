/** Grants at the edge: given by a person, by a yes and in answer to a step-up; bounded, revoked, ended, and unreadable. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@bravo/testing';
import { type Talk, useBroker } from '../broker.fixture.ts';
import { pause, questionsOf, SCRIPT } from '../questions.fixture.ts';
import { openClient } from '../raw-mcp-client.fixture.ts';

const bed = useBroker();
const { pendingOf, answer, rowsOf, ranOf } = questionsOf(bed);

const gateway = async <T>(work: (client: Awaited<ReturnType<typeof bed.as>>) => Promise<T>): Promise<T> => {
  const client = await bed.as('gateway');
  try {
    return await work(client);
  } finally {
    client.close();
  }
};
const grant = (talk: Talk, tool: string, scope: object, ttlSeconds = 0) =>
  gateway(async (client) => {
    const request = { conversationId: talk.conversationId, tool, scopeJson: JSON.stringify(scope), ttlSeconds };
    return (await client.createGrant(request, bed.person(talk))).grant!;
  });
const liveOf = ({ conversationId, ...talk }: Talk) =>
  gateway(
    async (client) => (await client.listGrants({ conversationId }, bed.person({ conversationId, ...talk }))).grants,
  );
const revoke = (talk: Talk, grantId: string) =>
  gateway((client) => client.revokeGrant({ conversationId: talk.conversationId, grantId }, bed.person(talk)));
const begin = async (mode = 'coworker') => {
  const talk = await bed.begin(mode);
  return { talk, client: await openClient(bed, talk) };
};
const typesOf = async (talk: Talk) =>
  (await bed.trail(talk)).map(({ type }) => type).filter((type) => type.includes('grant'));

afterEach(async () => {
  await bed.asOwner('ALTER TABLE IF EXISTS "broker"."grant_away" RENAME TO "grant"').catch(() => undefined);
});

describe('a grant', () => {
  it('of a person answers the question for its own path and no other, and the trail tells of it without the value [grants.scope]', async () => {
    const { talk, client } = await begin();
    const given = await grant(talk, 'write_file', { path: 'notes/./a.txt' });
    expect(given).toMatchObject({ tool: 'write_file', scopeJson: '{"path":"notes/a.txt"}', source: 'person' });
    expect(given.expiresAt!.getTime() - Date.now()).toBeGreaterThan(14 * 60_000);
    expect((await client.call('write_file', { path: 'notes/a.txt', contents: '1' })).isError).toBe(false);
    expect((await client.call('write_file', { path: './notes/a.txt', contents: '2' })).isError).toBe(false);
    expect(await rowsOf(talk)).toEqual([]);
    const held = client.call('write_file', { path: 'notes/b.txt', contents: '1' });
    await pendingOf(talk);
    await answer(talk, 'deny');
    await held;
    const events = await bed.trail(talk);
    expect(events.find(({ type }) => type === 'agent.grant.created')).toMatchObject({
      actor: `user:${talk.userId}`,
      data: { grant_id: given.id, operation: 'write_file', scope: 'path', source: 'person' },
    });
    expect(JSON.stringify(events)).not.toContain('notes/');
    expect(
      events.find(({ type, data }) => type === 'agent.tool.decided' && data['effect'] === 'allow')?.data,
    ).toMatchObject({
      step: 'standing_answers',
      rule: given.id,
    });
  });

  it('covers where a path leads: a link laid on it later leads out of it [grants.scope]', async () => {
    const { talk, client } = await begin();
    await grant(talk, 'write_file', { path: 'notes/a.txt' });
    bed.sandbox.links.set(`${talk.conversationId}/notes/a.txt`, 'secret.txt');
    const held = client.call('write_file', { path: 'notes/a.txt', contents: '1' });
    await pendingOf(talk);
    await answer(talk, 'deny');
    expect((await held).isError).toBe(true);
  });

  it.each([
    ['write_file', {}, /scope must name path/],
    ['write_file', { path: 'a', contents: 'x' }, /content, which a grant does not name/],
    ['write_file', { path: 'a', depth: 1 }, /takes no argument "depth"/],
    ['list_files', {}, /scope is empty/],
    ['execute_script', { language: 'python' }, /must name code/],
    ['run_anything', { path: 'a' }, /no tool of that name/],
    ['write_file', { path: 5 }, /Where it leads cannot be told/],
  ])('%s %j is refused: it would cover more than it names [grants.scope]', async (tool, scope, why) => {
    const { talk } = await begin();
    await expect(grant(talk, tool, scope)).rejects.toThrow(why);
    expect(await liveOf(talk)).toEqual([]);
  });

  it('ends by itself, never lives longer than eight hours, and there are only so many [grants.bounded]', async () => {
    const { talk, client } = await begin();
    for (const seconds of [-1, 28_801, 2_000_000_000])
      await expect(grant(talk, 'write_file', { path: 'a.txt' }, seconds)).rejects.toThrow(/1 to 28800 seconds/);
    await grant(talk, 'write_file', { path: 'a.txt' }, 1);
    expect((await client.call('write_file', { path: 'a.txt', contents: '1' })).isError).toBe(false);
    await pause(1_100);
    expect(await liveOf(talk)).toEqual([]);
    const held = client.call('write_file', { path: 'a.txt', contents: '2' });
    await pendingOf(talk);
    await answer(talk, 'deny');
    await held;
    for (let at = 0; at < 100; at += 1) await grant(talk, 'write_file', { path: `${at}.txt` }, 60);
    await expect(grant(talk, 'write_file', { path: 'one-more.txt' })).rejects.toThrow(/100 grants are live/);
  });

  it('that is revoked answers the next call no more; a second time changes nothing [grants.revoked]', async () => {
    const { talk, client } = await begin('ask');
    const { id } = await grant(talk, 'write_file', { path: 'a.txt' });
    expect((await client.call('write_file', { path: 'a.txt', contents: '1' })).isError).toBe(false);
    await revoke(talk, id);
    await revoke(talk, id);
    expect((await client.call('write_file', { path: 'a.txt', contents: '2' })).text).toContain(
      'out of reach in ask mode',
    );
    expect(await typesOf(talk)).toEqual(['agent.grant.created', 'agent.grant.revoked']);
  });

  it('is nobody else’s: not to see, not to give, not to revoke, and no agent’s [grants.owner]', async () => {
    const { talk } = await begin();
    const { talk: other } = await begin();
    const { id } = await grant(talk, 'write_file', { path: 'a.txt' });
    const asOther = { ...other, conversationId: talk.conversationId };
    await expect(liveOf(asOther)).rejects.toThrow(/no such conversation/);
    await expect(grant(asOther, 'write_file', { path: 'b.txt' })).rejects.toThrow(/no such conversation/);
    await expect(revoke(asOther, id)).rejects.toThrow(/no such grant/);
    await expect(revoke(other, id)).rejects.toThrow(/no such grant/);
    const acting = {
      subject: { ...bed.person(talk).subject, agent: { conversationId: talk.conversationId, podId: 'pod_1' } },
    };
    await gateway((client) =>
      expect(
        client.createGrant(
          { conversationId: talk.conversationId, tool: 'write_file', scopeJson: '{"path":"a"}', ttlSeconds: 0 },
          acting,
        ),
      ).rejects.toThrow(/Only a person/),
    );
    expect(await liveOf(talk)).toHaveLength(1);
  });

  it('is never more than the person may do themselves, now [grants.permission]', async () => {
    const { talk, client } = await begin();
    await grant(talk, 'write_file', { path: 'a.txt' });
    bed.identity.roles.set(talk.userId, 'viewer');
    // Longer than identity's answer is remembered where nothing is announced.
    await pause(1_000);
    expect((await client.call('write_file', { path: 'a.txt', contents: '1' })).text).toContain('manage_files');
    await expect(grant(talk, 'write_file', { path: 'b.txt' })).rejects.toThrow(
      /do not hold the permission manage_files/,
    );
  });

  it('that cannot be read lets nothing through, granted or not [grants.fail-closed]', async () => {
    const { talk, client } = await begin();
    await grant(talk, 'write_file', { path: 'a.txt' });
    await bed.asOwner('ALTER TABLE "broker"."grant" RENAME TO "grant_away"');
    const refused = await client.call('write_file', { path: 'a.txt', contents: '1' });
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringContaining('grants of this conversation cannot be read'),
    });
    expect((await client.call('read_file', { path: 'a.txt' })).isError).toBe(true);
    await bed.asOwner('ALTER TABLE "broker"."grant_away" RENAME TO "grant"');
    expect((await client.call('write_file', { path: 'a.txt', contents: '1' })).isError).toBe(false);
  });

  it('ends with its conversation, and what it was for is forgotten [grants.end]', async () => {
    const { talk } = await begin();
    await grant(talk, 'write_file', { path: 'secret-name.txt' });
    const orchestrator = await bed.as('orchestrator');
    await orchestrator.eraseConversation({ conversationId: talk.conversationId }, bed.person(talk));
    orchestrator.close();
    expect(await typesOf(talk)).toEqual(['agent.grant.created', 'agent.grant.revoked']);
    const rows = await bed.database.grant.findMany({ where: { conversationId: talk.conversationId } });
    expect(rows).toMatchObject([{ scope: '{}', revokedAt: expect.any(Date) }]);
    await expect(grant(talk, 'write_file', { path: 'a.txt' })).rejects.toThrow(/has ended/);
  });
});

describe('a yes', () => {
  it('with a grant covers exactly the call that was shown, from then on [grants.approval]', async () => {
    const { talk, client } = await begin();
    const held = client.call('execute_script', SCRIPT);
    const question = await pendingOf(talk);
    expect(JSON.parse(question.grantScope)).toEqual(SCRIPT);
    const { grant: given } = await gateway((client) =>
      client.resolveApproval(
        {
          conversationId: talk.conversationId,
          toolCallId: question.toolCallId,
          decision: 'approve',
          trustOutput: false,
          grantTtlSeconds: 60,
        },
        bed.person(talk),
      ),
    );
    expect(given).toMatchObject({ source: 'approval', toolCallId: question.toolCallId });
    expect((await held).isError).toBe(false);
    expect((await client.call('execute_script', SCRIPT)).isError).toBe(false);
    expect(ranOf(talk)).toBe(2);
    expect(await rowsOf(talk)).toHaveLength(1);
    const other = client.call('execute_script', { ...SCRIPT, code: `${SCRIPT.code} ` });
    await pendingOf(talk);
    await answer(talk, 'deny');
    expect((await other).isError).toBe(true);
    const resolved = (await bed.stream(talk)).find(({ event }) => event === 'approval_resolved');
    expect(resolved?.data).toMatchObject({ grant_id: given!.id });
  });

  it('offers no grant where a person must answer each time, and takes none [grants.approval]', async () => {
    const { talk, client } = await begin();
    const held = client.call('execute_script', { ...SCRIPT, env: { A: '1' } });
    const question = await pendingOf(talk);
    expect(question.grantScope).toBe('');
    await gateway((client) =>
      expect(
        client.resolveApproval(
          {
            conversationId: talk.conversationId,
            toolCallId: question.toolCallId,
            decision: 'approve',
            trustOutput: false,
            grantTtlSeconds: 60,
          },
          bed.person(talk),
        ),
      ).rejects.toThrow(/not offered/),
    );
    expect((await pendingOf(talk)).status).toBe('pending');
    await answer(talk, 'deny');
    await held;
  });
});

describe('a step-up', () => {
  const stepUp = (talk: Talk, toolCallId: string, ttlSeconds = 0) =>
    gateway(
      async (client) =>
        (await client.answerStepUp({ conversationId: talk.conversationId, toolCallId, ttlSeconds }, bed.person(talk)))
          .grant!,
    );

  it('is answered with a grant for exactly its call, once, and the work goes on; the mode stays [grants.step-up]', async () => {
    const { talk, client } = await begin('ask');
    const call = { path: 'a.txt', contents: '1' };
    expect((await client.call('write_file', call)).isError).toBe(true);
    const told = await waitUntil('the step-up', async () =>
      (await bed.stream(talk)).find(({ event }) => event === 'step_up'),
    );
    expect(told.data).toMatchObject({
      current_mode: 'ask',
      required_mode: 'coworker',
      action: 'write_file',
      grant_scope: { path: 'a.txt' },
    });
    const toolCallId = String(told.data['id']);
    const { talk: other } = await begin('ask');
    await expect(stepUp({ ...other, conversationId: talk.conversationId }, toolCallId)).rejects.toThrow(/no such call/);
    expect(await stepUp(talk, toolCallId)).toMatchObject({ source: 'step_up', scopeJson: '{"path":"a.txt"}' });
    await expect(stepUp(talk, toolCallId)).rejects.toThrow(/granted before/);
    expect(await liveOf(talk)).toHaveLength(1);
    expect(await bed.work(talk)).toMatchObject([
      { prompt: expect.stringContaining('granted the call that was refused') },
    ]);
    expect((await client.call('write_file', call)).isError).toBe(false);
    expect((await client.call('write_file', { ...call, path: 'b.txt' })).text).toContain('out of reach in ask mode');
  });

  it('of a refusal that was no step-up cannot be answered [grants.step-up]', async () => {
    const { talk, client } = await begin('ask');
    bed.identity.roles.set(talk.userId, 'viewer');
    await pause(1_000);
    await client.call('write_file', { path: 'a.txt', contents: '1' });
    const row = await bed.database.toolCall.findFirstOrThrow({ where: { conversationId: talk.conversationId } });
    await expect(stepUp(talk, row.id)).rejects.toThrow(/no such call/);
  });
});
