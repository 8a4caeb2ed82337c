/** The chat of the pod contract: frames, steering, stopping, approvals and tools. Numbers are those of the digest's shared behaviours. */
import { describe, expect, it } from '@jest/globals';
import { call, ChatClient, until, upgrade } from './pod-client.fixture.ts';
import { CAREFUL_AGENT, type PodHarness } from './pod-target.ts';

const unique = (): string => `s${Math.random().toString(36).slice(2, 12)}`;

export const describeChat = (harness: PodHarness): void => {
  const open = (session = unique(), options = {}) => ChatClient.open(harness.target(), session, options);
  const state = async (id: string) => (await call(harness.target(), 'GET', `/api/sessions/${id}/state`)).body['state'];
  const abort = async (id: string) =>
    (await call(harness.target(), 'POST', `/api/sessions/${id}/abort`)).body['status'];

  describe('7–9 chat', () => {
    it('7: it needs an agent that is known', async () => {
      const headers = { authorization: `Bearer ${harness.target().token}` };
      expect((await upgrade(harness.target(), 'session_id=x', { headers })).status).toBe(400);
      expect((await upgrade(harness.target(), 'agent=nobody&session_id=x', { headers })).status).toBe(400);
    });

    it('7: start, connect, text, call, result and one end come with their fields and in order', async () => {
      const id = unique();
      const chat = await open(id, { query: '&name=A+name' });
      chat.send({ type: 'connect', device_name: 'contract', capabilities: [] });
      expect(await chat.next('connected')).toMatchObject({ message: expect.any(String) });
      chat.say('do: call read_file {"path":"a b"}');
      const done = await chat.end();
      expect(chat.frames[0]).toMatchObject({ type: 'session_start', session_id: expect.stringContaining(id) });
      const known = chat.frames.filter(({ type }) => ['tool_call', 'tool_result', 'done'].includes(type));
      expect(known.map(({ type }) => type)).toEqual(['tool_call', 'tool_result', 'done']);
      expect(known[0]).toMatchObject({ id: expect.any(String), name: 'platform__read_file', args: { path: 'a b' } });
      expect(known[1]).toMatchObject({
        id: known[0]?.['id'],
        name: 'platform__read_file',
        output: expect.stringContaining('the file'),
      });
      expect(done).toMatchObject({ type: 'done', model: expect.any(String), provider: expect.any(String) });
      expect(done['full_response']).toContain('the tool said');
      expect(chat.text()).toContain('the file');
      expect(chat.terminals()).toBe(1);
      chat.close();
    });

    it.each([
      ['{', 'INVALID_JSON'],
      [{ type: 'dance' }, 'UNKNOWN_MESSAGE_TYPE'],
      [{ type: 'message', content: '   ' }, 'EMPTY_CONTENT'],
      [{ type: 'approval_response', request_id: 'nothing', decision: 'approve' }, 'INVALID_APPROVAL_RESPONSE'],
    ])('7: %j is refused and the chat goes on', async (frame, code) => {
      const chat = await open();
      chat.send(frame);
      expect(await chat.next('error')).toMatchObject({ code, message: expect.any(String) });
      chat.say('do: say still here');
      expect(await chat.end()).toMatchObject({ type: 'done', full_response: 'still here' });
      chat.close();
    });

    it.each([
      ['do: refuse 401', ['AUTH_ERROR', 'PROVIDER_ERROR']],
      ['do: refuse 400', ['PROVIDER_ERROR', 'AGENT_ERROR']],
      ['do: cut', ['PROVIDER_ERROR', 'AGENT_ERROR']],
    ])('7: "%s" ends the turn with one error, and the next turn works', async (message, codes) => {
      const id = unique();
      const chat = await open(id);
      chat.say(message);
      const end = await chat.end();
      expect({ type: end.type, known: codes.includes(String(end['code'])) }).toEqual({ type: 'error', known: true });
      expect(chat.terminals()).toBe(1);
      expect(await state(id)).toBe('error');
      chat.say('do: say well again');
      expect(await chat.end()).toMatchObject({ type: 'done' });
      expect(await state(id)).toBe('idle');
      chat.close();
    });

    it('8: a message in the middle of a turn steers it and starts none', async () => {
      const chat = await open();
      chat.say('do: call slow {}');
      await chat.next('tool_call');
      await until('the held call', () => harness.peers().called.at(-1)?.params['name'] === 'slow');
      chat.say('do: say steered PEAR');
      await new Promise((resolve) => setTimeout(resolve, 200));
      harness.peers().release();
      await chat.end();
      expect(JSON.stringify(harness.peers().asked.at(-1)?.messages)).toContain('PEAR');
      expect(chat.terminals()).toBe(1);
      chat.close();
    });

    it('8: a session has one turn at a time, whatever connections it has', async () => {
      const id = unique();
      const [first, second] = [await open(id), await open(id)];
      first.say('do: hang');
      await first.next('chunk');
      const before = harness.peers().asked.length;
      second.say('do: say second');
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(harness.peers().asked.length).toBe(before);
      expect(await abort(id)).toBe('aborted');
      expect(await first.end()).toMatchObject({ type: 'aborted' });
      first.close();
      second.close();
    });

    it('9: abort stops the turn once, is idempotent, and reaches the model', async () => {
      const id = unique();
      const chat = await open(id);
      expect(await abort(id)).toBe('no_active_response');
      chat.say('do: hang');
      await chat.next('chunk');
      expect(await state(id)).toBe('running');
      expect(await abort(id)).toBe('aborted');
      expect(await chat.end()).toMatchObject({ type: 'aborted' });
      expect(await abort(id)).toBe('no_active_response');
      expect(await abort('nobody')).toBe('no_active_response');
      await until('the model to be left', () => harness.peers().asked.at(-1)?.cut);
      expect(chat.terminals()).toBe(1);
      chat.say('do: say after');
      expect(await chat.end()).toMatchObject({ type: 'done', full_response: 'after' });
      chat.close();
    });

    it('9: a closed socket cancels its turn', async () => {
      const id = unique();
      const chat = await open(id);
      chat.say('do: hang');
      await chat.next('chunk');
      chat.close();
      await until('the turn to be over', async () => (await state(id)) !== 'running');
      await until('the model to be left', () => harness.peers().asked.at(-1)?.cut);
    });
  });

  describe('10 approvals', () => {
    const calls = (): number =>
      harness.peers().called.filter(({ method, params }) => method === 'tools/call' && params['name'] === 'read_file')
        .length;
    const ask = async (chat: ChatClient) => {
      chat.say('do: call read_file {"path":"a"}');
      const request = await chat.next('approval_request');
      expect(request).toMatchObject({
        request_id: expect.any(String),
        tool: 'platform__read_file',
        arguments_summary: expect.any(String),
        timeout_secs: 120,
      });
      return request['request_id'];
    };
    const careful = () => open(unique(), { agent: CAREFUL_AGENT });

    it('10: approved once it is called once, and the next time it is asked again', async () => {
      const chat = await careful();
      const before = calls();
      chat.send({ type: 'approval_response', request_id: await ask(chat), decision: 'approve' });
      expect((await chat.end())['full_response']).toContain('the file');
      expect(calls()).toBe(before + 1);
      chat.send({ type: 'approval_response', request_id: await ask(chat), decision: 'deny' });
      const end = await chat.end();
      expect(end.type).toBe('done');
      expect(calls()).toBe(before + 1);
      expect(chat.frames.filter(({ type }) => type === 'tool_result').at(-1)).toMatchObject({
        output: expect.stringMatching(/^Error:/),
      });
      chat.close();
    });

    it('10: always holds for the connection and no longer', async () => {
      const chat = await careful();
      chat.send({ type: 'approval_response', request_id: await ask(chat), decision: 'always' });
      await chat.end();
      chat.say('do: call read_file {"path":"b"}');
      expect((await chat.end())['full_response']).toContain('the file');
      expect(chat.frames.filter(({ type }) => type === 'approval_request')).toHaveLength(1);
      chat.close();
      const next = await careful();
      await ask(next);
      next.close();
    });

    it('10: what is approved in advance is not asked for, and a closed connection is a no', async () => {
      const chat = await careful();
      chat.say('do: call echo {"a":1}');
      await chat.end();
      expect(chat.frames.map(({ type }) => type)).not.toContain('approval_request');
      const before = calls();
      await ask(chat);
      chat.close();
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(calls()).toBe(before);
    });
  });

  describe('13–14 tools', () => {
    it('13: they are called <server>__<tool> everywhere', async () => {
      const { body } = await call(harness.target(), 'GET', '/api/tools?agent=worker');
      const tools = body['tools'] as { name: string }[];
      expect(tools.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['platform__read_file', 'platform__echo', 'platform__slow', 'platform__fail']),
      );
      const chat = await open();
      chat.say('do: say hello');
      await chat.end();
      chat.close();
      expect(harness.peers().asked.at(-1)?.tools).toEqual(expect.arrayContaining(['platform__read_file']));
      // Nothing of its own: what a pod can do is what the platform lends it.
      expect(
        harness
          .peers()
          .asked.at(-1)
          ?.tools.every((name) => name.startsWith('platform__')),
      ).toBe(true);
    });

    it('13: a failure is text that begins with Error:, and the turn goes on', async () => {
      const chat = await open();
      chat.say('do: call fail {}');
      expect(await chat.end()).toMatchObject({ type: 'done' });
      expect(chat.frames.find(({ type }) => type === 'tool_result')).toMatchObject({
        output: expect.stringMatching(/^Error:.*it is not allowed/s),
      });
      chat.close();
    });

    it('14: the tool server is greeted as 2024-11-05 with the bearer, keeps its session, and the model reads the whole result', async () => {
      const from = harness.peers().called.length;
      const chat = await open();
      chat.say('do: call echo {"a":1,"approved":true}');
      await chat.end();
      chat.close();
      const called = harness.peers().called.slice(from);
      // A session may be kept from one conversation to the next, so the greeting may be an earlier one.
      const hello = harness.peers().called.find(({ method }) => method === 'initialize');
      expect(hello?.params).toMatchObject({ protocolVersion: '2024-11-05', clientInfo: { name: expect.any(String) } });
      expect(hello?.params['capabilities']).not.toHaveProperty('elicitation');
      expect(called.every(({ headers }) => headers.authorization === `Bearer ${harness.peers().token}`)).toBe(true);
      const sent = called.find(({ method }) => method === 'tools/call');
      expect(sent?.headers['mcp-session-id']).toMatch(/^session-/);
      expect(sent?.params['arguments']).toEqual({ a: 1 });
      const told = harness.peers().asked.at(-1)?.messages.at(-1);
      expect(told).toMatchObject({ role: 'tool', content: expect.stringContaining('whole result') });
    });

    it('14: a call that met a lost session is not made again by itself; the next one works', async () => {
      const chat = await open();
      chat.say('do: call echo {"n":1}');
      await chat.end();
      harness.peers().loseNextCall();
      const from = harness.peers().called.length;
      chat.say('do: call echo {"n":2}');
      await chat.end();
      const made = harness
        .peers()
        .called.slice(from)
        .filter(({ method, params }) => method === 'tools/call' && JSON.stringify(params).includes('"n":2'));
      expect(made).toHaveLength(1);
      expect(chat.frames.filter(({ type }) => type === 'tool_result').at(-1)).toMatchObject({
        output: expect.stringMatching(/^Error:/),
      });
      chat.close();
    });
  });
};
