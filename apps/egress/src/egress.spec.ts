/** Egress at its own port: what a ticket opens, and everything that opens nothing. */
import { createServer, type Server } from 'node:http';
import { connect, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createPrincipalSigner,
  createTicketSigner,
  type EgressRequest,
  EgressRefused,
  openTunnel,
  serviceSubject,
} from '@bravo/chassis';
import { exportJWK, generateKeyPair, SignJWT, importJWK } from 'jose';
import { readFileSync, writeFileSync } from 'node:fs';
import { requestFor, useEgress, WORKSPACE } from './egress.fixture.ts';

let site: Server;
let endless: TcpServer;
const ports = { site: 0, endless: 0 };
const listen = (server: Server | TcpServer): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)));

beforeAll(async () => {
  site = createServer((request, response) => response.end(`you asked ${request.headers.host}`));
  endless = createTcpServer((socket) => {
    const block = Buffer.alloc(64 * 1024);
    const more = (): void => {
      if (!socket.destroyed) socket.write(block, () => setImmediate(more));
    };
    socket.on('error', () => socket.destroy());
    more();
  });
  [ports.site, ports.endless] = [await listen(site), await listen(endless)];
});
afterAll(() => {
  site.close();
  endless.close();
});

const answers = (name: string, before: number): readonly string[] | 'silence' | undefined => {
  switch (name) {
    case 'site.test':
    case 'unlisted.test':
      return ['127.0.0.1'];
    case 'mixed.test':
      return ['8.8.8.8', '10.0.0.1'];
    case 'mapped.test':
      return ['::ffff:10.0.0.1'];
    case 'six.test':
      return ['8.8.8.8', 'fd00::1'];
    case 'rebinds.test':
      return before === 0 ? ['8.8.8.8'] : ['169.254.169.254'];
    case 'metadata.test':
      return ['169.254.169.254'];
    case 'nowhere.test':
      return undefined;
    default:
      return ['127.0.0.1'];
  }
};

const bed = useEgress(answers, () => [
  `broker=site.test:${ports.site}`,
  `broker=site.test:${ports.endless}`,
  `broker=metadata.test:80`,
  `audit=audits.test:${ports.site}`,
]);

const tunnel = async (
  more: Partial<EgressRequest> = {},
  service: 'broker' | 'models' | 'audit' | 'gateway' = 'broker',
) => openTunnel({ address: bed.address, sign: bed.sign(service) }, requestFor(ports.site, more), { connectMs: 10_000 });
const refusalOf = async (opening: Promise<unknown>): Promise<string> => {
  const error = await opening.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  return error instanceof EgressRefused ? error.code : String(error);
};
const refused = (more: Partial<EgressRequest>, service: 'broker' | 'models' | 'audit' | 'gateway' = 'broker') =>
  refusalOf(tunnel(more, service));
const askThrough = async (more: Partial<EgressRequest> = {}): Promise<string> => {
  const socket = await tunnel(more);
  socket.write(`GET / HTTP/1.1\r\nhost: site.test\r\nconnection: close\r\n\r\n`);
  let text = '';
  for await (const part of socket) text += String(part);
  return text;
};
const until = async <T>(look: () => Promise<T | undefined>): Promise<T> => {
  for (const ends = Date.now() + 30_000; Date.now() < ends; await new Promise((go) => setTimeout(go, 50))) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error('it never came');
};

describe('a connection', () => {
  it('is opened for the ticket that names it, and is on record before and after [egress.recorded]', async () => {
    expect(await askThrough()).toContain('you asked site.test');
    const [allowed, ended] = await until(async () => {
      const events = (await bed.events()).filter(({ type }) => type !== 'agent.egress.refused');
      return events.length >= 2 ? events : undefined;
    });
    expect(allowed).toMatchObject({
      ...{
        type: 'agent.egress.allowed',
        workspace: WORKSPACE,
        conversation: 'cnv_1',
        onbehalfof: 'usr_1',
        causation: 'tc_1',
      },
      data: { service: 'broker', purpose: 'fetch', host: 'site.test', port: ports.site, addresses: ['127.0.0.1'] },
    });
    expect(ended).toMatchObject({ type: 'agent.egress.ended', data: { outcome: 'ended' } });
    expect(ended?.data['connection_id']).toBe(allowed?.data['connection_id']);
    expect(Number(ended?.data['received_bytes'])).toBeGreaterThan(20);
  });

  it('is not opened while it cannot be put on record [egress.recorded]', async () => {
    const before = (await bed.events()).length;
    // No event can hold it, as none can while the database is gone.
    expect(await refused({ decisionId: 'd'.repeat(300) })).toBe('unrecorded');
    expect(await bed.events()).toHaveLength(before);
  });

  it('ends where its peer never does, and the trail says why [egress.caps]', async () => {
    const socket = await tunnel({ port: ports.endless });
    let received = 0;
    socket.on('data', (part: Buffer) => (received += part.length));
    await new Promise((resolve) => socket.once('close', resolve));
    expect(received).toBeLessThanOrEqual(8 * 1024 * 1024);
    await until(async () => (await bed.events()).find(({ data }) => data['outcome'] === 'bytes_cap'));
  });
});

describe('a name', () => {
  it.each(['unlisted.test', 'mixed.test', 'mapped.test', 'six.test'])(
    '%s with an answer that is not public is refused whole [egress.public-only]',
    async (host) => {
      expect(await refused({ host, port: 443 })).toBe('not_public');
      const last = (await bed.events()).findLast(({ type }) => type === 'agent.egress.refused');
      expect(last?.data).toMatchObject({ host, reason: 'not_public' });
    },
  );

  it('is looked up once: what was checked is what is connected to, whatever it answers next [egress.checked-address]', async () => {
    // 8.8.8.8 cannot be reached from a test; what counts is that nobody asks again and nothing else is tried.
    const stop = new AbortController();
    const opening = openTunnel(
      { address: bed.address, sign: bed.sign('broker') },
      requestFor(9, { host: 'rebinds.test' }),
      { connectMs: 30_000, signal: stop.signal },
    ).catch(() => undefined);
    const allowed = await until(async () =>
      (await bed.events()).find(({ type, data }) => type === 'agent.egress.allowed' && data['host'] === 'rebinds.test'),
    );
    expect(allowed.data['addresses']).toEqual(['8.8.8.8']);
    stop.abort();
    await opening;
    expect(bed.names.asked.filter((name) => name.startsWith('rebinds.test'))).toHaveLength(2);
    expect(await refused({ host: 'rebinds.test', port: 80 })).toBe('not_public');
  });

  it('that leads where a machine asks for its own credentials is refused also where it is listed [egress.public-only]', async () => {
    expect(await refused({ host: 'metadata.test', port: 80 })).toBe('not_public');
    expect(await refused({ purpose: 'model', reach: 'operator', host: 'metadata.test', port: 80 }, 'models')).toBe(
      'not_public',
    );
    expect(await refused({ purpose: 'model', reach: 'operator', host: '::ffff:a9fe:a9fe', port: 80 }, 'models')).toBe(
      'not_public',
    );
  });

  it('that is none, and one nobody knows', async () => {
    expect(await refused({ host: 'nowhere.test' })).toBe('name_unknown');
    for (const host of ['127.0.0.1', '8.8.8.8', '::1', '::ffff:7f00:1'])
      expect(await refused({ host })).toMatch(/literal_address/);
    for (const host of ['2130706433', '0x7f.1', '127.1']) expect(await refused({ host })).toBe('literal_address');
    expect(await refused({ host: 'localhost' })).toBe('not_public');
  });

  it('that is listed is listed for one service at one port [egress.private-listed]', async () => {
    expect(await refused({ host: 'site.test', port: ports.site + 1 })).toBe('not_public');
    expect(await refused({ host: 'audits.test' })).toBe('not_public');
    (await tunnel({ purpose: 'delivery', host: 'audits.test' }, 'audit')).destroy();
    (await tunnel({ purpose: 'model', reach: 'operator', host: '127.0.0.1' }, 'models')).destroy();
    expect(await refused({ purpose: 'model', host: 'site.test' }, 'models')).toBe('not_public');
  });
});

describe('a ticket [egress.ticket]', () => {
  const ask = (token: string, authority = `site.test:${ports.site}`): Promise<string> =>
    bed.raw(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\nProxy-Authorization: Bearer ${token}\r\n\r\n`);
  const claims = { purpose: 'fetch', host: 'site.test', reach: 'public', dec: 'tc_1', ws: 'ws_1', cnv: '' };
  const signed = async (
    file: string,
    kid: string,
    more: { aud?: string; exp?: number; iat?: number; typ?: string; iss?: string } = {},
  ) =>
    new SignJWT({ ...claims, port: ports.site })
      .setProtectedHeader({ alg: 'ES256', kid, typ: more.typ ?? 'egress-ticket+jwt' })
      .setIssuer(more.iss ?? kid)
      .setAudience(more.aud ?? 'egress')
      .setSubject('usr_1')
      .setJti(`jti-${Math.random()}`)
      .setIssuedAt(more.iat ?? Math.floor(Date.now() / 1000))
      .setExpirationTime(more.exp ?? Math.floor(Date.now() / 1000) + 30)
      .sign((await importJWK(JSON.parse(readFileSync(file, 'utf8')) as object, 'ES256')) as never);

  it('opens one connection, and only the one it names', async () => {
    const sign = bed.sign('broker');
    const once = await sign(requestFor(ports.site));
    const socket = connect(Number(bed.address.split(':')[1]), '127.0.0.1');
    socket.write(
      `CONNECT site.test:${ports.site} HTTP/1.1\r\nHost: site.test:${ports.site}\r\nProxy-Authorization: Bearer ${once}\r\n\r\n`,
    );
    const first = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
    expect(String(first)).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
    expect(await ask(once)).toContain('x-bravo-refusal: ticket_used');
    const elsewhere = await sign(requestFor(ports.site));
    expect(await ask(elsewhere, `evil.test:${ports.site}`)).toContain('x-bravo-refusal: ticket_elsewhere');
    expect(await ask(await sign(requestFor(ports.site)), `site.test:${ports.endless}`)).toContain('ticket_elsewhere');
  });

  it('that is forged, expired, for somebody else or no ticket at all opens nothing', async () => {
    const broker = bed.keyFile('broker');
    const now = Math.floor(Date.now() / 1000);
    const stranger = `${broker}.stranger`;
    writeFileSync(
      stranger,
      JSON.stringify(await exportJWK((await generateKeyPair('ES256', { extractable: true })).privateKey)),
    );
    const bad = [
      await signed(stranger, 'broker'),
      await signed(stranger, 'nobody'),
      await signed(broker, 'broker', { aud: 'broker' }),
      await signed(broker, 'broker', { exp: now - 60, iat: now - 90 }),
      // Valid for longer than any ticket may be.
      await signed(broker, 'broker', { exp: now + 3_600, iat: now - 300 }),
      await signed(bed.keyFile('gateway'), 'gateway', { iss: 'broker' }),
      await signed(broker, 'broker', { typ: 'JWT' }),
      await (await createPrincipalSigner('broker', broker)).sign(serviceSubject('broker'), 'egress'),
      'eyJhbGciOiJub25lIn0.e30.',
      'x',
    ];
    for (const token of bad) expect(await ask(token)).toContain('x-bravo-refusal: ticket_invalid');
    expect(await ask('')).toContain('ticket_missing');
    (await tunnel()).destroy();
  }, 60_000);

  it('opens only what its service may open', async () => {
    expect(await refused({ purpose: 'model' })).toBe('purpose_denied');
    expect(await refused({ reach: 'operator' })).toBe('purpose_denied');
    expect(await refused({ purpose: 'fetch' }, 'models')).toBe('purpose_denied');
    expect(await refused({}, 'gateway')).toBe('purpose_denied');
    expect(await createTicketSigner('broker', bed.keyFile('broker'))).toBeInstanceOf(Function);
  });
});

describe('a request that can be read in two ways [egress.one-reading]', () => {
  const head = (lines: readonly string[], authority = `site.test:${ports.site}`, tail = '') =>
    bed.raw(`CONNECT ${authority} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${tail}`);

  it('is refused before its ticket is looked at', async () => {
    const authority = `site.test:${ports.site}`;
    const bearer = `Proxy-Authorization: Bearer ${await bed.sign('broker')(requestFor(ports.site))}`;
    const bad: Promise<string>[] = [
      head([`Host: ${authority}`, bearer, bearer]),
      head([`Host: ${authority}`, 'Host: evil.test:80', bearer]),
      head([`Host: evil.test:80`, bearer]),
      head([`Host: ${authority}`, 'Content-Length: 5', bearer], authority, 'GET /'),
      head([`Host: ${authority}`, 'Transfer-Encoding: chunked', bearer]),
      head([`Host: ${authority}`, bearer], authority, 'GET / HTTP/1.1\r\n\r\n'),
      head([`Host: ${authority}`, `X: a\rProxy-Authorization: b`, bearer]),
      head([`Host: user@${authority}`, bearer], `user@${authority}`),
      head([`Host: SITE.test:${ports.site}`, bearer], `SITE.test:${ports.site}`),
      head([`Host: site.test`, bearer], 'site.test'),
      head([`Host: site.test:0${ports.site}`, bearer], `site.test:0${ports.site}`),
      head([`Host: http://${authority}/`, bearer], `http://${authority}/`),
      head([`Host: ${authority}`, `X-Long: ${'x'.repeat(10_000)}`, bearer]),
    ];
    for (const reply of await Promise.all(bad)) expect(reply).toMatch(/^HTTP\/1\.1 (400|431) /);
    expect(
      await bed.raw(`GET http://site.test:${ports.site}/ HTTP/1.1\r\nHost: ${authority}\r\n${bearer}\r\n\r\n`),
    ).toMatch(/^HTTP\/1\.1 405 /);
  }, 60_000);
});
