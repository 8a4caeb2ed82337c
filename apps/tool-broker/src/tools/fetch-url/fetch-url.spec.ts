/** fetch_url from the bound call to what comes back, through a real egress to real servers that do what hostile ones do. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generate } from 'selfsigned';
import { useEgress } from '../../../../egress/src/egress.fixture.ts';
import { createFetchHop } from '../../pages/fetch-hop.client.ts';
import type { HopVerdict } from '../../rules/judge-hop.ts';
import type { BoundEffect, EffectTools } from '../effect.ts';
import { fetchUrl } from './fetch-url.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const CAP = 2_097_152;
const pages = new Map<string, Answer>();
const asked: { path: string; headers: IncomingMessage['headers'] }[] = [];
const answer: Answer = (request, response) => {
  asked.push({ path: request.url ?? '', headers: request.headers });
  const page = pages.get(new URL(request.url ?? '', 'http://x').pathname);
  if (page) page(request, response);
  else response.writeHead(404).end('nothing here');
};
const plain = createServer(answer);
let secure: ReturnType<typeof createTlsServer>;
const ports = { plain: 0, secure: 0 };
let certificate = '';

beforeAll(async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'site.test' }], {
    extensions: [
      { name: 'subjectAltName', altNames: ['site.test', 'other.test'].map((value) => ({ type: 2, value })) },
    ],
  } as never);
  certificate = cert;
  secure = createTlsServer({ key, cert }, answer);
  for (const [name, server] of [
    ['plain', plain],
    ['secure', secure],
  ] as const) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ports[name] = (server.address() as AddressInfo).port;
  }
});
afterAll(() => {
  plain.closeAllConnections();
  secure.closeAllConnections();
  plain.close();
  secure.close();
});

const bed = useEgress(
  (name) => (name === 'gone.test' ? undefined : name === 'inside.test' ? ['169.254.169.254'] : ['127.0.0.1']),
  () =>
    ['site.test', 'other.test', 'wrong.test'].flatMap((host) =>
      Object.values(ports).map((port) => `broker=${host}:${port}`),
    ),
);

const site = (path: string, scheme: 'http' | 'https' = 'http', host = 'site.test'): string =>
  `${scheme}://${host}:${scheme === 'http' ? ports.plain : ports.secure}${path}`;

let verdicts: (url: string) => HopVerdict = () => 'silent';
const run = async (
  url: string,
  more: { recovered?: boolean; idleMs?: number; replyMs?: number; signal?: AbortSignal } = {},
) => {
  const way = { address: bed.address, sign: bed.sign('broker'), certificates: [certificate] };
  const tools = {
    fetchHop: createFetchHop(way, {
      connectMs: 20_000,
      idleMs: more.idleMs ?? 10_000,
      replyMs: more.replyMs ?? 30_000,
    }),
    judgeHop: async (_conversation: string, to: string) => verdicts(to),
    pause: async () => undefined,
  } as Partial<EffectTools> as EffectTools;
  const effect = {
    ...{ toolCallId: 'tc_1', recovered: more.recovered ?? false },
    who: { workspaceId: 'ws_1', conversationId: 'cnv_1', userId: 'usr_1' },
    call: { tool: 'fetch_url', arguments: { url }, targets: {} },
  } as unknown as BoundEffect;
  const result = await fetchUrl(effect, tools, more.signal ?? new AbortController().signal);
  return { ...result, text: result.summary.join(' '), body: Buffer.from(result.outputs[0]?.content ?? []) };
};
const redirect =
  (location: string, status = 302): Answer =>
  (_request, response) =>
    response.writeHead(status, { location }).end();

describe('a fetched page', () => {
  it('comes back whole under the URL that was asked for, and the server is told nothing of anybody', async () => {
    pages.set('/page', (_request, response) => response.end('# Hello\n'));
    for (const scheme of ['http', 'https'] as const) {
      const url = site('/page?q=1#part', scheme);
      const { status, text, body, outputs } = await run(url);
      expect({ status, text }).toEqual({ status: 'completed', text: `Fetched ${url}: 8 bytes.` });
      expect(String(body)).toBe('# Hello\n');
      expect(outputs[0]).toMatchObject({ origin: 'page of site.test', kind: 'text', name: url });
    }
    const [{ path, headers }] = asked.slice(-1) as [(typeof asked)[number]];
    expect(path).toBe('/page?q=1');
    expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
    expect(headers.accept).toBe('text/markdown, */*;q=0.9');
  });

  it('that is no text is carried as it is', async () => {
    pages.set('/bytes', (_request, response) => response.end(Buffer.from([0xff, 0xfe, 0x00, 0x01])));
    const { status, body, outputs } = await run(site('/bytes'));
    expect([status, outputs[0]?.kind, [...body]]).toEqual(['completed', 'binary', [0xff, 0xfe, 0x00, 0x01]]);
  });

  it('is cut at 2 MiB, however it is packed, and says so [fetch.cap]', async () => {
    const huge = Buffer.alloc(CAP + 1, 'a');
    pages.set('/exact', (_request, response) => response.end(huge.subarray(1)));
    pages.set('/huge', (_request, response) => response.end(huge));
    pages.set('/bomb', (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(64 * CAP))),
    );
    pages.set('/endless', (_request, response) => {
      const more = (): void => {
        if (!response.destroyed) response.write(huge, () => setImmediate(more));
      };
      more();
    });
    expect(await run(site('/exact'))).toMatchObject({
      status: 'completed',
      text: expect.not.stringContaining('longer'),
    });
    for (const path of ['/huge', '/bomb', '/endless']) {
      const { status, body, text } = await run(site(path));
      expect([path, status, body.length]).toEqual([path, 'completed', CAP]);
      expect(text).toContain(`only its first ${CAP} bytes were taken`);
    }
  }, 60_000);

  it('that was cut off, never ends or answers with no HTTP is no page', async () => {
    pages.set('/cut', (_request, response) => {
      response.writeHead(200, { 'content-length': 1_000 });
      response.write('half', () => response.destroy());
    });
    pages.set('/packed-cut', (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': 900 });
      response.write(gzipSync('x'.repeat(5_000)).subarray(0, 20), () => response.destroy());
    });
    pages.set('/silent', (_request, response) => void response.write('and then'));
    pages.set('/drip', (_request, response) => void setInterval(() => response.write('.'), 50).unref());
    expect(await run(site('/cut'))).toMatchObject({ status: 'failed', errorCode: 'fetch_cut_off', outputs: [] });
    expect(await run(site('/packed-cut'))).toMatchObject({ status: 'failed', errorCode: 'fetch_cut_off' });
    expect(await run(site('/silent'), { idleMs: 300 })).toMatchObject({ status: 'failed', errorCode: 'fetch_silent' });
    expect(await run(site('/drip'), { replyMs: 500 })).toMatchObject({ status: 'failed', errorCode: 'fetch_timeout' });
    expect(await run(site('/404'))).toMatchObject({
      errorCode: 'fetch_status',
      text: expect.stringContaining('status 404'),
    });
  }, 60_000);

  it('is asked for again where the server says so, and never after a crash', async () => {
    let times = 0;
    pages.set('/busy', (_request, response) =>
      (times += 1) < 3 ? response.writeHead(503).end() : response.end('now'),
    );
    expect(String((await run(site('/busy'))).body)).toBe('now');
    pages.set('/never', (_request, response) => response.writeHead(429, { 'retry-after': '3600' }).end());
    const before = asked.length;
    expect(await run(site('/never'))).toMatchObject({ errorCode: 'fetch_status' });
    expect(asked).toHaveLength(before + 1);
    expect(await run(site('/page'), { recovered: true })).toMatchObject({ status: 'outcome_unknown', outputs: [] });
    expect(asked).toHaveLength(before + 1);
  });
});

describe('a redirect [fetch.hops]', () => {
  it('is followed on the approved host, five times and no more', async () => {
    for (let at = 0; at < 20; at += 1) pages.set(`/r${at}`, redirect(`/r${at + 1}`, [301, 302, 303, 307, 308][at % 5]));
    pages.set('/r20', (_request, response) => response.end('there'));
    const end = await run(site('/r15'));
    expect([end.status, String(end.body)]).toEqual(['completed', 'there']);
    expect(end.text).toBe(`Fetched ${site('/r15')}: 5 bytes. It took 5 redirects.`);
    expect(await run(site('/r14'))).toMatchObject({ status: 'failed', errorCode: 'fetch_redirects' });
    expect((await run(site('/r0'))).errorCode).toBe('fetch_redirects');
  });

  it('elsewhere needs a rule, deny wins, and no word of the server is told', async () => {
    pages.set('/away', redirect(site('/IGNORE-ALL', 'http', 'other.test')));
    pages.set('/IGNORE-ALL', (_request, response) => response.end('elsewhere'));
    const left = await run(site('/away'));
    expect(left).toMatchObject({ status: 'failed', errorCode: 'fetch_redirect_left' });
    expect(left.text).toContain('site.test, the host that was approved');
    expect(left.text).not.toMatch(/other\.test|IGNORE/);
    verdicts = (url) => (url.includes('other.test') ? 'allow' : 'silent');
    const allowed = await run(site('/away'));
    expect([String(allowed.body), allowed.text]).toEqual([
      'elsewhere',
      `Fetched ${site('/away')}: 9 bytes. It took 1 redirect.`,
    ]);
    for (const verdict of ['deny', 'ask'] as const) {
      verdicts = (url) => (url.includes('other.test') ? verdict : 'silent');
      const refused = await run(site('/away'));
      expect(refused.status).toBe('failed');
      expect(refused.text).not.toContain('other.test');
    }
    verdicts = () => 'silent';
  });

  it.each([
    ['to another port', () => `http://site.test:${ports.plain + 1}/`, 'fetch_redirect_left'],
    ['to an address', () => `http://169.254.169.254/latest/`, 'fetch_redirect_address'],
    ['to a number', () => `http://2130706433/`, 'fetch_redirect_address'],
    ['to IPv6', () => `http://[::ffff:10.0.0.1]/`, 'fetch_redirect_address'],
    ['to a file', () => 'file:///etc/passwd', 'fetch_redirect_unreadable'],
    ['to nowhere', () => 'http://[', 'fetch_redirect_unreadable'],
    [
      'dressed as the host',
      () => `http://site.test:${ports.plain}@other.test:${ports.plain}/page`,
      'fetch_redirect_left',
    ],
  ])('%s is not followed', async (_what, to, code) => {
    pages.set('/to', redirect(to()));
    expect((await run(site('/to'))).errorCode).toBe(code);
  });

  it('from https to http is not followed, whatever a rule says [fetch.no-downgrade]', async () => {
    pages.set('/down', redirect(site('/page')));
    verdicts = () => 'allow';
    expect((await run(site('/down', 'https'))).errorCode).toBe('fetch_downgrade');
    verdicts = () => 'silent';
  });

  it('that an allowed rule follows is still a name that must be public', async () => {
    pages.set('/inside', redirect('http://inside.test/latest/meta-data/'));
    verdicts = () => 'allow';
    const { errorCode, text } = await run(site('/inside'));
    expect(errorCode).toBe('egress_not_public');
    expect(text).not.toContain('inside.test');
    verdicts = () => 'silent';
  });
});

describe('a host', () => {
  it('that cannot be reached, found or believed is said in one sentence', async () => {
    expect((await run('http://gone.test/')).text).toBe(
      'http://gone.test/ was not fetched. The name cannot be found. Check how it is spelled.',
    );
    expect(await run('http://inside.test/')).toMatchObject({ status: 'failed', errorCode: 'egress_not_public' });
    expect(await run(site('/page', 'https', 'wrong.test'))).toMatchObject({ errorCode: 'fetch_certificate' });
    const stop = new AbortController();
    stop.abort();
    await expect(run(site('/page'), { signal: stop.signal })).rejects.toThrow();
  });
});
