/** What a pod keeps and tells of its own work: sessions, memory, cost and events. Numbers are those of the digest's shared behaviours. */
import { describe, expect, it } from '@jest/globals';
import { call, ChatClient, until } from './pod-client.fixture.ts';
import type { PodHarness } from './pod-target.ts';

const unique = (): string => `s${Math.random().toString(36).slice(2, 12)}`;
const authorization = (token: string) => ({ authorization: `Bearer ${token}` });

export const describeRecords = (harness: PodHarness): void => {
  describe('11–12 sessions, memory, cost and events', () => {
    it('11: gw_ is the same session; text only is kept, and told again to who comes back', async () => {
      const id = unique();
      const first = await ChatClient.open(harness.target(), id);
      expect(first.frames[0]).toMatchObject({ type: 'session_start', resumed: false, message_count: 0 });
      first.say('do: call read_file {"path":"secret-path"}');
      await first.end();
      first.close();
      const kept = await call(harness.target(), 'GET', `/api/sessions/gw_${id}/messages`);
      expect(kept).toMatchObject({ status: 200, body: { messages: [{ role: 'user' }, { role: 'assistant' }] } });
      expect(
        (kept.body['messages'] as object[]).every(
          (one) => 'content' in one && 'created_at' in one && !('tool_calls' in one),
        ),
      ).toBe(true);
      const second = await ChatClient.open(harness.target(), `gw_${id}`);
      expect(second.frames[0]).toMatchObject({ resumed: true, message_count: 2 });
      second.say('do: say more');
      await second.end();
      expect(
        harness
          .peers()
          .asked.at(-1)
          ?.messages.filter(({ role }) => role === 'user'),
      ).toHaveLength(2);
      second.close();
      const { body } = await call(harness.target(), 'GET', '/api/sessions');
      expect(body['sessions']).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            session_key: expect.stringContaining(id),
            message_count: 4,
            agent_alias: 'worker',
          }),
        ]),
      );
    });

    it('11: a session can be renamed, told something, and deleted', async () => {
      const id = unique();
      const chat = await ChatClient.open(harness.target(), id);
      chat.say('do: say first');
      await chat.end();
      expect((await call(harness.target(), 'PUT', `/api/sessions/${id}`, { body: { name: 'A name' } })).status).toBe(
        200,
      );
      expect(
        (await call(harness.target(), 'POST', `/api/sessions/${id}/messages`, { body: { content: 'A notice' } }))
          .status,
      ).toBe(200);
      expect(await chat.next('message')).toMatchObject({ role: 'assistant', content: 'A notice', source: 'api' });
      expect((await call(harness.target(), 'POST', `/api/sessions/${id}/messages`, { body: {} })).status).toBe(400);
      expect(
        (await call(harness.target(), 'POST', '/api/sessions/nobody/messages', { body: { content: 'x' } })).status,
      ).toBe(404);
      expect((await call(harness.target(), 'DELETE', `/api/sessions/${id}`)).status).toBe(200);
      expect((await call(harness.target(), 'GET', `/api/sessions/${id}/state`)).status).toBe(404);
      chat.close();
    });

    it('memory is kept, found by words and forgotten', async () => {
      const key = unique();
      expect(
        await call(harness.target(), 'POST', '/api/memory', {
          body: { key, content: `the harbour opens at ${key}`, category: 'core' },
        }),
      ).toMatchObject({ status: 200, body: { status: 'ok' } });
      const { body } = await call(harness.target(), 'GET', `/api/memory?query=harbour`);
      expect(body['entries']).toEqual(
        expect.arrayContaining([expect.objectContaining({ key, content: expect.stringContaining(key) })]),
      );
      expect(await call(harness.target(), 'DELETE', `/api/memory/${key}`)).toMatchObject({
        status: 200,
        body: { deleted: true },
      });
      expect(await call(harness.target(), 'DELETE', `/api/memory/${key}`)).toMatchObject({ body: { deleted: false } });
    });

    it('12: done counts tokens or says null, and /api/cost sums them', async () => {
      const total = async (): Promise<number> =>
        ((await call(harness.target(), 'GET', '/api/cost')).body['cost'] as { total_tokens: number }).total_tokens;
      const before = await total();
      const chat = await ChatClient.open(harness.target(), unique());
      chat.say('do: say counted');
      const done = await chat.end();
      for (const field of [
        'input_tokens',
        'output_tokens',
        'tokens_used',
        'cost_usd',
        'last_input_tokens',
        'max_context_tokens',
      ])
        expect([field, done[field] === null || typeof done[field] === 'number']).toEqual([field, true]);
      chat.close();
      if (done['tokens_used'] !== null) expect(await total()).toBe(before + Number(done['tokens_used']));
      expect((await call(harness.target(), 'GET', '/api/cost')).body).toMatchObject({
        cost: { request_count: expect.any(Number), by_model: expect.any(Object), by_agent: expect.any(Object) },
      });
    });

    it('12: /api/events streams bare data lines of what happens, and keeps the last of them', async () => {
      const { baseUrl, token } = harness.target();
      const stop = new AbortController();
      const response = await fetch(`${baseUrl}/api/events`, { headers: authorization(token), signal: stop.signal });
      let streamed = '';
      const decoder = new TextDecoder();
      void (async () => {
        for await (const bytes of response.body ?? []) streamed += decoder.decode(bytes, { stream: true });
      })().catch(() => undefined);
      const chat = await ChatClient.open(harness.target(), unique());
      chat.say('do: call read_file {}');
      await chat.end();
      chat.close();
      await until('agent_end on the stream', () => streamed.includes('"agent_end"'));
      stop.abort();
      expect(streamed).not.toMatch(/^(event|id):/m);
      const types = [...streamed.matchAll(/^data: (.*)$/gm)].map(
        ([, data = '{}']) => (JSON.parse(data) as { type: string }).type,
      );
      expect(types).toEqual(
        expect.arrayContaining(['agent_start', 'llm_request', 'tool_call_start', 'tool_call', 'agent_end']),
      );
      const { body } = await call(harness.target(), 'GET', '/api/events/history');
      expect(body['events']).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ type: 'tool_call', duration_ms: expect.any(Number), success: true }),
        ]),
      );
    });
  });
};
