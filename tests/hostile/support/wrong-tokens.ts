/** Floods of tokens nobody knows, at every door that takes one: how often identity is asked for them, and whether anybody else feels it. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Platform } from '@bravo/testing';
import type { Attempts } from './attempts.ts';
import type { PodSeat } from './pod-seat.ts';

const CALLS = 2_000;
const AT_ONCE = 50;
/** One and the same is asked about once in 0.9 s and door. */
const SAME_PER_SECOND = 3;
/** Each another one: 400 at once and 100 a second (libs/chassis/src/credential-lookups.ts). */
const BURST = 400;
const PER_SECOND = 100;

const newToken = (): string => `bwt_bravo_${randomBytes(24).toString('hex')}`;

/** How often identity was asked whose a credential is and knew nobody. */
const refusedByIdentity = async (platform: Platform): Promise<number> => {
  const { ports } = JSON.parse(readFileSync(path.join(platform.home, 'state.json'), 'utf8')) as { ports: Record<string, number> };
  const text = await (await fetch(`http://127.0.0.1:${ports['identity.http']}/metrics`)).text();
  const rows = [...text.matchAll(/^bravo_grpc_request_duration_seconds_count\{service="identity",method="(?:ResolveAgentToken|ResolveCaller|DescribeCaller)",code="unauthenticated"\} (\d+)$/gm)];
  return rows.reduce((sum, [, count]) => sum + Number(count), 0);
};

const DOORS = (platform: Platform, seat: PodSeat): readonly (readonly [name: string, ask: (token: string) => Promise<Response>])[] => {
  const post = (url: string, body: object) => (token: string) =>
    fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' }, body: JSON.stringify(body) });
  return [
    ['the broker', post(seat.mcpUrl, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })],
    ['the model gateway', post(`${seat.modelUrl}/chat/completions`, { messages: [{ role: 'user', content: 'help' }] })],
    ['the gateway', (token) => fetch(`${platform.gatewayUrl}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } })],
  ];
};

const flood = async (ask: (token: string) => Promise<Response>, token: () => string): Promise<Map<number, number>> => {
  const got = new Map<number, number>();
  let sent = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (sent < CALLS) {
        sent += 1;
        const response = await ask(token());
        await response.text();
        got.set(response.status, (got.get(response.status) ?? 0) + 1);
      }
    }),
  );
  return got;
};

export const floodWithWrongTokens = async (attempts: Attempts, platform: Platform, seat: PodSeat): Promise<void> => {
  // Good from before, as that of every pod that has asked what tools there are: one that nobody has seen yet waits its turn.
  await seat.rpc('tools/list', {});
  for (const [door, ask] of DOORS(platform, seat)) {
    const same = newToken();
    for (const [what, token, atMost] of [
      ['one unknown token', () => same, (seconds: number) => 2 + SAME_PER_SECOND * seconds],
      ['an unknown token each', newToken, (seconds: number) => BURST + PER_SECOND * (seconds + 1)],
    ] as const) {
      await attempts.try(`call ${door} ${CALLS} times with ${what}`, 'refusals, and identity asked no more than stated', async () => {
        const [before, began] = [await refusedByIdentity(platform), Date.now()];
        const got = await flood(ask, token);
        const seconds = (Date.now() - began) / 1000;
        const asked = (await refusedByIdentity(platform)) - before;
        const told = [...got].map(([status, count]) => `${count} × ${status}`).join(', ');
        return { got: `${told} in ${seconds.toFixed(1)} s; identity was asked ${asked} times`, held: [...got.keys()].every((status) => [401, 429, 503].includes(status)) && asked >= 1 && asked <= atMost(seconds) };
      });
    }
    await attempts.try(`keep a token that is good from ${door} by that`, 'its answer at once', async () => {
      const began = Date.now();
      const { status } = await seat.rpc('tools/list', {});
      return { got: `${status} after ${Date.now() - began} ms`, held: status === 200 && Date.now() - began < 2_000 };
    });
  }
};
