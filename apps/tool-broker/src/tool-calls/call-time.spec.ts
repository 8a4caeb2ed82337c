import { afterEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@bravo/testing';
import { useBroker } from '../broker.fixture.ts';
import { pause, questionsOf, SCRIPT } from '../questions.fixture.ts';
import { openClient } from '../raw-mcp-client.fixture.ts';

const bed = useBroker();
const { pendingOf, answer, ranOf } = questionsOf(bed);

afterEach(() => {
  bed.identity.features = { bravo: true, code_exec: true };
  bed.identity.config = { ...bed.identity.config, enabled: true };
});

describe('what holds at the call', () => {
  it('is the role of now: a demotion refuses the answer and the next call [authority.now]', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    const held = client.call('execute_script', SCRIPT);
    await pendingOf(talk);
    bed.identity.roles.set(talk.userId, 'viewer');
    await expect(answer(talk, 'approve')).rejects.toMatchObject({ code: 'permission_denied' });
    await answer(talk, 'deny');
    expect((await held).isError).toBe(true);
    // As long as an answer about access may be remembered.
    await pause(1_000);
    expect((await client.call('execute_script', { ...SCRIPT, code: 'print(8)' })).text).toMatch(
      /needs the permission run_flows/,
    );
    expect((await client.call('list_files', {})).isError).toBe(false);
  });

  it('is the token of now: a yes to a call whose token was revoked runs nothing', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    const held = client.call('execute_script', SCRIPT);
    await pendingOf(talk);
    bed.identity.tokens.get(talk.token)!.revoked = true;
    await waitUntil(
      'the revocation to hold',
      async () => (await client.post({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })).status === 401,
    );
    await answer(talk, 'approve');
    expect(await held).toMatchObject({ isError: true, text: expect.stringMatching(/revoked/) });
    expect(ranOf(talk)).toBe(0);
  });

  it('is the gate of now and the configuration of the start [authority.future] [authority.config]', async () => {
    const talk = await bed.begin();
    const client = await openClient(bed, talk);
    bed.identity.config = { ...bed.identity.config, deniedTools: ['list_files'] };
    // What was read of identity is remembered for less than a second; the old configuration must hold for another reason.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect((await client.call('list_files', {})).isError).toBe(false);
    bed.identity.config = { ...bed.identity.config, deniedTools: [], enabled: false };
    await waitUntil('the switch to hold', async () =>
      /disabled Bravo/.test((await client.call('list_files', {})).text),
    );
    bed.identity.config = { ...bed.identity.config, enabled: true };
    bed.identity.features = { bravo: false, code_exec: true };
    await waitUntil('the gate to hold', async () => /not switched on/.test((await client.call('list_files', {})).text));
  });

  it('is the mode: Ask reads, and says which mode would do', async () => {
    const talk = await bed.begin('ask');
    const client = await openClient(bed, talk);
    expect((await client.call('list_files', {})).isError).toBe(false);
    expect((await client.call('execute_script', SCRIPT)).text).toMatch(/out of reach in ask mode/);
    expect((await bed.stream(talk)).find((event) => event.event === 'step_up')?.data).toMatchObject({
      current_mode: 'ask',
      required_mode: 'coworker',
      action: 'execute_script',
    });
    const orchestrator = await bed.as('orchestrator');
    await orchestrator.setConversationMode({ conversationId: talk.conversationId, mode: 'coworker' }, bed.person(talk));
    const held = client.call('execute_script', SCRIPT);
    await answer(talk, 'deny');
    expect((await held).text).toMatch(/denied/);
    await orchestrator.eraseConversation({ conversationId: talk.conversationId }, bed.person(talk));
    expect((await client.call('list_files', {})).text).toMatch(/has ended/);
    expect(await bed.database.slot.count({ where: { conversationId: talk.conversationId } })).toBe(0);
    orchestrator.close();
  });
});
