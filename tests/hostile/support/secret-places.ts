/** The secrets a running platform keeps, and every place a secret could turn up in that is read by others than its keeper. */
import type { Platform } from '@bravo/testing';
import { createPrivateKey } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { RestClient } from '../../journeys/support/rest-client.ts';

export interface Secret {
  readonly name: string;
  readonly value: string;
}

export interface Place {
  readonly name: string;
  readonly text: string;
}

const textsIn = (name: string, value: unknown): Secret[] =>
  typeof value === 'string' ? [{ name, value }] : Object.entries((value ?? {}) as object).flatMap(([key, inner]) => textsIn(`${name} ${key}`, inner));

/** Passwords of the database and of NATS, and the private halves of all keys. */
export const keptSecrets = (home: string): Secret[] => {
  const keys = path.join(home, 'keys');
  const found = textsIn('the password', JSON.parse(readFileSync(path.join(home, 'secrets.json'), 'utf8')));
  for (const file of readdirSync(keys)) {
    const text = readFileSync(path.join(keys, file), 'utf8');
    if (file.endsWith('.jwk.json')) found.push({ name: `the key ${file}`, value: String((JSON.parse(text) as { d?: string }).d) });
    if (file.endsWith('.pem')) found.push({ name: `the key ${file}`, value: createPrivateKey(text).export({ format: 'jwk' }).d ?? '' });
    if (file.endsWith('.key')) found.push({ name: `the key ${file}`, value: text.trim() });
  }
  return found.filter(({ value }) => value.length >= 16);
};

const pagesOf = async (gateway: string): Promise<Place[]> => {
  const read = async (route: string): Promise<Place> => ({ name: `page ${route}`, text: await (await fetch(`${gateway}${route}`)).text() });
  const index = await read('/');
  const assets = [...index.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1] ?? '');
  return [index, ...(await Promise.all([...assets, '/openapi.json', '/docs', '/healthz', '/readyz'].map(read)))];
};

const metricsOf = (home: string): Promise<Place[]> => {
  const { ports } = JSON.parse(readFileSync(path.join(home, 'state.json'), 'utf8')) as { ports: Record<string, number> };
  const http = Object.entries(ports).filter(([name]) => !/grpc|postgres|nats/i.test(name));
  return Promise.all(
    http.flatMap(([name, port]) =>
      ['/metrics', '/readyz'].map(async (route) => ({
        name: `metrics ${name}${route}`,
        text: await fetch(`http://127.0.0.1:${port}${route}`)
          .then((response) => response.text())
          .catch(() => ''),
      })),
    ),
  );
};

/** Errors of every edge, asked for with the secrets in the places where a careless error would repeat them. */
const problemsOf = async (gateway: string, { token, session }: { token: string; session: string }): Promise<Place[]> => {
  const api = `${gateway}/api/v1`;
  const json = { 'content-type': 'application/json' };
  const ask = async (name: string, url: string, init: RequestInit): Promise<Place> => {
    const response = await fetch(url, init);
    return { name: `problem ${name}`, text: `${response.status} ${await response.text()}` };
  };
  return Promise.all([
    ask('a token with one letter more', `${api}/me`, { headers: { authorization: `Bearer ${token}x` } }),
    ask('a token as another scheme', `${api}/me`, { headers: { authorization: `Basic ${token}` } }),
    ask('a session without the page', `${api}/acme/bravo/conversations`, { method: 'POST', headers: { ...json, cookie: `bravo_session=${session}` }, body: '{}' }),
    ask('a broken body', `${api}/acme/bravo/conversations`, { method: 'POST', headers: { ...json, authorization: `Bearer ${token}` }, body: '{' }),
    ask('a misshapen body', `${api}/acme/bravo/conversations`, { method: 'POST', headers: { ...json, authorization: `Bearer ${token}` }, body: '{"mode":5,"title":[]}' }),
    ask('another workspace', `${api}/globex/bravo/conversations`, { headers: { authorization: `Bearer ${token}` } }),
    ask('no such route', `${api}/acme/nothing`, { headers: { authorization: `Bearer ${token}` } }),
    ask('no such conversation', `${api}/acme/bravo/conversations/cnv_0/messages`, { headers: { authorization: `Bearer ${token}` } }),
  ]);
};

const filesUnder = (directory: string, name: string): Place[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({ name: `${name} ${path.relative(directory, file)}`, text: readFileSync(file, 'latin1') }));

export const placesOf = async (platform: Platform, person: RestClient, conversations: readonly string[], shown: { token: string; session: string }): Promise<Place[]> => {
  const problems = await problemsOf(platform.gatewayUrl, shown);
  const trail: Place[] = [];
  for (let cursor = '', page = 0; page === 0 || cursor !== ''; page += 1) {
    const body = (await person.get(`/audit?order=asc&limit=200${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`)) as { next_cursor?: string | null };
    trail.push({ name: `trail ${page}`, text: JSON.stringify(body) });
    cursor = body.next_cursor ?? '';
  }
  const streams = await Promise.all(
    conversations.map(async (conversation) => {
      const log = await person.follow(conversation, `${conversation}:0`);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      log.close();
      const stored = await Promise.all(['', '/messages', '/tool-calls'].map((route) => person.get(`/bravo/conversations/${conversation}${route}`)));
      return { name: `turn stream ${conversation}`, text: JSON.stringify([log.events, stored]) };
    }),
  );
  const pods = await platform.podPids();
  const environments = pods.flatMap((pid) => ['environ', 'cmdline'].map((file) => ({ name: `environment ${file} of pod ${pid}`, text: readFileSync(`/proc/${pid}/${file}`, 'latin1') })));
  const [pages, metrics] = await Promise.all([pagesOf(platform.gatewayUrl), metricsOf(platform.home)]);
  // Last, so that everything above is in them: logs, spans, and every event, work item and turn the bus holds.
  const written = filesUnder(path.join(platform.home, 'logs'), 'log').map((place) => (place.name.includes('.traces.') ? { ...place, name: place.name.replace('log', 'trace') } : place));
  const bus = filesUnder(path.join(platform.home, 'nats'), 'bus');
  return [...problems, ...trail, ...streams, ...environments, ...pages, ...metrics, ...written, ...bus];
};
