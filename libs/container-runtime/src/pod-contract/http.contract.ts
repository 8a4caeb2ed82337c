/** The doors of the pod contract and its webhook. Numbers are those of the digest's shared behaviours. */
import { describe, expect, it } from '@jest/globals';
import { call, upgrade } from './pod-client.fixture.ts';
import { type PodHarness, REQUEST_TIMEOUT_SECONDS } from './pod-target.ts';

const unique = (): string => `s${Math.random().toString(36).slice(2, 12)}`;
const authorization = (token: string) => ({ authorization: `Bearer ${token}` });

export const describeDoors = (harness: PodHarness): void => {
  describe('1–3 doors', () => {
    it('1: /health answers everybody with 200 and the known keys', async () => {
      const { status, body } = await call(harness.target(), 'GET', '/health', { token: null });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        status: 'ok',
        paired: expect.any(Boolean),
        require_pairing: true,
        runtime: {
          pid: expect.any(Number),
          updated_at: expect.anything(),
          uptime_seconds: expect.any(Number),
          components: expect.any(Object),
        },
      });
    });

    it.each([
      ['POST', '/webhook'],
      ['GET', '/api/tools?agent=worker'],
      ['GET', '/api/sessions'],
      ['POST', '/api/sessions/x/abort'],
      ['GET', '/api/memory'],
      ['GET', '/api/cost'],
      ['GET', '/api/events/history'],
      ['GET', '/api/status'],
    ])('2: %s %s without a bearer or with a wrong one is 401 with {error}', async (method, path) => {
      for (const token of [null, 'wrong']) {
        const body = method === 'POST' ? { message: 'x' } : undefined;
        const reply = await call(harness.target(), method, path, { token, body });
        expect(reply).toMatchObject({ status: 401, body: { error: expect.any(String) } });
      }
    });

    it('2: the chat takes the token from header, subprotocol or query, in that order, and echoes zeroclaw.v1', async () => {
      const { target } = harness;
      const { token } = target();
      const asked = `agent=worker&session_id=${unique()}`;
      const bearer = (value: string) => ['zeroclaw.v1', `bearer.${value}`];
      expect(await upgrade(target(), asked)).toMatchObject({ status: 401 });
      expect(await upgrade(target(), asked, { headers: authorization(token), protocols: bearer('wrong') })).toEqual({
        status: 101,
        protocol: 'zeroclaw.v1',
      });
      expect(
        await upgrade(target(), asked, { headers: authorization('wrong'), protocols: bearer(token) }),
      ).toMatchObject({ status: 401 });
      expect(await upgrade(target(), asked, { protocols: bearer(token) })).toEqual({
        status: 101,
        protocol: 'zeroclaw.v1',
      });
      expect(await upgrade(target(), `${asked}&token=${token}`, { protocols: bearer('wrong') })).toMatchObject({
        status: 401,
      });
      expect(await upgrade(target(), `${asked}&token=${token}`)).toMatchObject({ status: 101 });
    });

    it('3: who has preset tokens gives no code away and refuses any with 403', async () => {
      expect(JSON.stringify(await call(harness.target(), 'GET', '/pair/code', { token: null }))).not.toMatch(/"\d{6}"/);
      const wrong = await call(harness.target(), 'POST', '/pair', {
        token: null,
        headers: { 'x-pairing-code': '000000' },
      });
      expect([403, 429]).toContain(wrong.status);
    });

    it('6: a body past 64 KiB is 413', async () => {
      const reply = await call(harness.target(), 'POST', '/webhook', { body: { message: 'x'.repeat(70_000) } });
      expect(reply.status).toBe(413);
    });

    it('an unknown route below /api is 404 with not_found', async () => {
      expect(await call(harness.target(), 'GET', '/api/nothing')).toMatchObject({
        status: 404,
        body: { error: 'not_found', path: expect.stringContaining('/api/nothing') },
      });
    });
  });
};

export const describeWebhook = (harness: PodHarness): void => {
  const webhook = (body: unknown, headers: Record<string, string> = {}, query = '') =>
    call(harness.target(), 'POST', `/webhook${query}`, { body, headers });

  describe('4–6 webhook', () => {
    it('4: a message is answered with response and model, and tools are used on the way', async () => {
      expect(await webhook({ message: 'do: say good day to you' })).toMatchObject({
        status: 200,
        body: { response: 'good day to you', model: expect.any(String) },
      });
      const before = harness.peers().called.length;
      const { body } = await webhook({ message: 'do: call read_file {"path":"a"}' });
      expect(body['response']).toContain('the file');
      expect(
        harness
          .peers()
          .called.slice(before)
          .map(({ method }) => method),
      ).toContain('tools/call');
    });

    it('4: bearer comes before JSON, JSON before the agent', async () => {
      expect(
        (await call(harness.target(), 'POST', '/webhook?agent=nobody', { body: '{', token: 'wrong' })).status,
      ).toBe(401);
      expect(await webhook('{', {}, '?agent=nobody')).toMatchObject({
        status: 400,
        body: { error: expect.any(String) },
      });
      expect(await webhook({ message: 'x' }, {}, '?agent=nobody')).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining('nobody') },
      });
    });

    it('4: a key that was seen is a duplicate, also where its run failed', async () => {
      const headers = { 'x-idempotency-key': unique() };
      expect(await webhook({ message: 'do: refuse 400' }, headers)).toMatchObject({
        status: 500,
        body: { error: 'LLM request failed' },
      });
      expect(await webhook({ message: 'do: say again' }, headers)).toMatchObject({
        status: 200,
        body: { status: 'duplicate', idempotent: true, message: expect.any(String) },
      });
    });

    it('5: it has no history, whatever session it names', async () => {
      const headers = { 'x-session-id': unique() };
      await webhook({ message: 'do: say one PLUM' }, headers);
      await webhook({ message: 'do: say two' }, headers);
      expect(
        JSON.stringify(
          harness
            .peers()
            .asked.at(-1)
            ?.messages.filter(({ role }) => role !== 'system'),
        ),
      ).not.toContain('PLUM');
      expect(await webhook({ message: 'do: say three' }, { 'x-session-id': 'no good / id' })).toMatchObject({
        status: 200,
      });
    });

    it(`6: what takes longer than gateway.request_timeout_secs (${REQUEST_TIMEOUT_SECONDS}) is 408`, async () => {
      expect((await webhook({ message: 'do: hang' })).status).toBe(408);
    });

    it('10: nobody can be asked there, so what would be asked is not done', async () => {
      const before = harness.peers().called.length;
      const { body } = await webhook({ message: 'do: call read_file {}' }, {}, '?agent=careful');
      expect(body['response']).not.toContain('the file');
      expect(
        harness
          .peers()
          .called.slice(before)
          .map(({ method }) => method),
      ).not.toContain('tools/call');
    });
  });
};
