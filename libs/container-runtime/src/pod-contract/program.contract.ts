/** What only who starts the pod can see of its contract: pairing, settings, a start without tools or model, and the end. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { call, ChatClient } from './pod-client.fixture.ts';
import { AGENT, contractSettings, type PodHarness } from './pod-target.ts';

const hash = createHash('sha256').update('contract').digest('hex');

/** Nothing is checked where only an address is known. */
export const describeProgram = (harness: PodHarness): void => {
  const { start } = harness;
  if (!start) return;

  describe('3, 15–17 the program', () => {
    it('3: without a token it gives a code, pairs once, locks out who guesses, and lets the token in', async () => {
      const pod = await start(contractSettings(harness.peers(), []));
      const code =
        JSON.stringify((await call(pod, 'GET', '/pair/code', { token: null })).body).match(/"(\d{6})"/)?.[1] ?? '';
      expect(code).toMatch(/^\d{6}$/);
      const pair = (given: string) => call(pod, 'POST', '/pair', { token: null, headers: { 'x-pairing-code': given } });
      expect((await pair(code === '111111' ? '222222' : '111111')).status).toBe(403);
      const paired = await pair(code);
      expect(paired).toMatchObject({
        status: 200,
        body: { paired: true, persisted: true, token: expect.stringMatching(/^zc_[0-9a-f]{64}$/) },
      });
      expect((await call(pod, 'GET', '/api/sessions', { token: String(paired.body['token']) })).status).toBe(200);
      expect(JSON.stringify((await call(pod, 'GET', '/pair/code', { token: null })).body)).not.toContain(code);
      const statuses = [];
      for (let i = 0; i < 8; i += 1) statuses.push(await pair(code));
      expect(statuses.find(({ status }) => status === 429)).toMatchObject({
        body: { error: expect.any(String), retry_after: expect.any(Number) },
      });
      expect(statuses.some(({ status }) => status === 200)).toBe(false);
      await pod.stop();
    });

    it('15: with its tools away it starts, has none, and still answers', async () => {
      const settings = {
        ...contractSettings(harness.peers(), [hash]),
        'mcp.servers.platform.url': 'http://127.0.0.1:9/mcp',
      };
      const pod = { ...(await start(settings)), token: 'contract' };
      expect(await call(pod, 'GET', '/health', { token: null })).toMatchObject({ status: 200, body: { status: 'ok' } });
      expect((await call(pod, 'GET', `/api/tools?agent=${AGENT}`)).body).toEqual({ tools: [] });
      const chat = await ChatClient.open(pod, 'degraded');
      chat.say('do: say no tools here');
      expect(await chat.end()).toMatchObject({ type: 'done', full_response: 'no tools here' });
      chat.close();
      await pod.stop();
    });

    it('4, 7: an agent without a model says that it needs one', async () => {
      const settings = Object.fromEntries(
        Object.entries(contractSettings(harness.peers(), [hash])).filter(([path]) => !path.startsWith('providers.')),
      );
      const pod = { ...(await start(settings)), token: 'contract' };
      expect(await call(pod, 'POST', '/webhook', { body: { message: 'x' } })).toMatchObject({
        status: 503,
        body: { error: 'needs_quickstart', url: expect.any(String) },
      });
      const chat = await ChatClient.open(pod, 'bare');
      chat.say('hello');
      expect(await chat.next('error')).toMatchObject({ code: 'NEEDS_ONBOARDING' });
      await pod.stop();
    });

    it('16: an unknown lowercase setting stops the start, an old uppercase one does not', async () => {
      const settings = contractSettings(harness.peers(), [hash]);
      const refused = await start(settings, { ZEROCLAW_gateway__prot: '1' });
      expect(await refused.exited()).not.toBe(0);
      expect(refused.output()).toContain('gateway__prot');
      const pod = await start(settings, { ZEROCLAW_API_KEY: 'x', ZEROCLAW_GATEWAY_PORT: '1' });
      expect((await call(pod, 'GET', '/health', { token: null })).status).toBe(200);
      expect(await pod.stop('SIGTERM')).toBe(0);
    });

    it('17: SIGTERM ends it at once, also in the middle of a turn', async () => {
      const pod = { ...(await start(contractSettings(harness.peers(), [hash]))), token: 'contract' };
      const chat = await ChatClient.open(pod, 'leaving');
      chat.say('do: hang');
      await chat.next('chunk');
      const before = performance.now();
      expect(await pod.stop('SIGTERM')).toBe(0);
      // A runtime that ignores the signal is killed after much longer; the bound leaves room for a busy machine.
      expect(performance.now() - before).toBeLessThan(5_000);
    });
  });
};
