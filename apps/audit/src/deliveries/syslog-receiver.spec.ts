/** The trail brought to Debian's rsyslog over TLS, which is killed, closed and cut in between; what it wrote down is looked at, not what was sent. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:tls';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startTethered, type TetheredProcess, waitUntil } from '@bravo/testing';
import { installPackages } from '@bravo/tools/stack/machine';
import { numbered } from '../trail/trail.fixture.ts';
import { useDeliveries } from './deliveries.fixture.ts';
import { frame } from './syslog-receiver.client.ts';

const RSYSLOG = '/usr/sbin/rsyslogd';
// A clean machine of CI gets it; nobody else's machine is changed by a test.
const problem =
  existsSync(RSYSLOG) || process.env['CI'] !== 'true'
    ? undefined
    : await installPackages(['rsyslog', 'rsyslog-openssl']);
const withRsyslog = existsSync(RSYSLOG);
if (!withRsyslog)
  process.stderr.write(
    `Deliveries to rsyslog are not tried: ${problem ?? 'it is not installed here (apt-get install rsyslog rsyslog-openssl)'}.\n`,
  );

const world = useDeliveries();
const directory = mkdtempSync(path.join(tmpdir(), 'bravo-rsyslog-'));
const at = (name: string): string => path.join(directory, name);
let server: TetheredProcess | undefined;
afterAll(async () => {
  await server?.stop();
  rmSync(directory, { recursive: true });
});
afterEach(async () => {
  await world.stopAll();
  await server?.stop();
  server = undefined;
  rmSync(at('taken.log'), { force: true });
});

/** `asks`: it takes only clients with a certificate of ours. */
const startRsyslog = async (asks = false): Promise<void> => {
  const { key, cert } = world.identity.trusted;
  for (const [name, text] of [
    ['key', key],
    ['cert', cert],
  ] as const)
    writeFileSync(at(name), text, { mode: 0o600 });
  writeFileSync(
    at('conf'),
    `global(workDirectory="${directory}" maxMessageSize="8k" DefaultNetstreamDriver="ossl"
  DefaultNetstreamDriverCAFile="${at('cert')}" DefaultNetstreamDriverCertFile="${at('cert')}" DefaultNetstreamDriverKeyFile="${at('key')}")
module(load="imtcp" StreamDriver.Name="ossl" StreamDriver.Mode="1" StreamDriver.AuthMode="${asks ? 'x509/certvalid' : 'anon'}")
input(type="imtcp" address="127.0.0.1" port="${world.ports[0]}")
template(name="taken" type="string" string="%pri% %timereported:::date-rfc3339% %hostname% %app-name% %procid% %msgid%|%msg%\\n")
action(type="omfile" file="${at('taken.log')}" template="taken")
`,
  );
  server = startTethered({
    ...{ command: RSYSLOG, args: ['-n', '-f', at('conf'), '-i', at('pid')], cwd: directory },
    ...{ env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }, stopSignal: 'SIGKILL' },
  } as never);
  await waitUntil('rsyslog', () => {
    if (server?.exited()) throw new Error(server.output());
    return existsSync(at('pid'));
  });
};
const lines = (): { head: string; text: string }[] =>
  (existsSync(at('taken.log')) ? readFileSync(at('taken.log'), 'utf8') : '').split('\n').flatMap((line) => {
    const bar = line.indexOf('|');
    return bar < 0 ? [] : [{ head: line.slice(0, bar), text: line.slice(bar + 1).trim() }];
  });
const indexes = (): number[] =>
  lines().flatMap(({ text }) => (text.startsWith('{"index"') ? [(JSON.parse(text) as { index: number }).index] : []));
const url = (): string => `tls://siem.test:${world.ports[0]}`;
const grow = async (from: number, to: number, over: object = {}): Promise<void> => {
  await world.recordMany(...numbered(to, over).slice(from));
  await world.open().signCheckpoint('ws_a');
};

(withRsyslog ? describe : describe.skip)('rsyslog', () => {
  it('writes down every entry with its checkpoint, in order, whole or said to be shortened [trail.deliveries]', async () => {
    await startRsyslog();
    await grow(0, 30);
    await grow(30, 31, { data: { tool_call_id: 'tc_1', reason: 'x'.repeat(20_000) } });
    await world.add(url(), { kind: 'syslog' });
    world.start();
    await world.reaches(31);
    await waitUntil('all lines', () => indexes().length === 31);
    expect(indexes()).toEqual(Array.from({ length: 31 }, (_, index) => index));
    expect(lines()[0]).toMatchObject({
      head: expect.stringMatching(/^110 \S+ bravo trail ws_a checkpoint$/),
      text: expect.stringContaining('"checkpoint":"bravo/ws_a'),
    });
    expect(lines()[1]?.head).toMatch(/^110 2026-11-30T\S+ bravo trail ws_a entry$/);
    expect(JSON.parse(lines()[31]?.text ?? '')).toMatchObject({
      index: 30,
      event: {
        id: 'evt_ws_a_broker_31',
        data: { tool_call_id: 'tc_1', left_out: expect.stringContaining('too long') },
      },
    });
  });

  it.each(['cef', 'ocsf', 'cloudevents'] as const)('takes %s', async (format) => {
    await startRsyslog();
    await grow(0, 3);
    await world.add(url(), { kind: 'syslog', format });
    world.start();
    await world.reaches(3);
    await waitUntil('all lines', () => lines().length === 5);
    const entry = lines()[2]?.text ?? '';
    if (format === 'cef') expect(entry).toMatch(/^CEF:0\|Bravo\|Bravo\|1\|agent\.conversation\.created\|.*cn1=1 /);
    else
      expect(JSON.parse(entry)).toMatchObject(
        format === 'ocsf' ? { class_uid: 6003, unmapped: { index: 1 } } : { specversion: '1.0', trailindex: 1 },
      );
  });

  it('that was killed gets what it did not take when it is back [trail.delivery-order]', async () => {
    await startRsyslog();
    await grow(0, 10);
    await world.add(url(), { kind: 'syslog' });
    world.start();
    await world.reaches(10);
    await server?.stop();
    await grow(10, 20);
    await waitUntil('a failure', async () => (await world.one()).failures > 0);
    expect((await world.one()).nextIndex).toBe(10);
    await startRsyslog();
    await world.reaches(20);
    await waitUntil('all lines', () => new Set(indexes()).size === 20);
  });

  it('that asks who we are is told by the certificate of the destination alone', async () => {
    await startRsyslog(true);
    await grow(0, 2);
    const { destination } = await world.add(url(), { kind: 'syslog' });
    world.start();
    await waitUntil('a failure', async () => (await world.one()).failures > 0);
    expect(indexes()).toEqual([]);
    const { key, cert: certificate } = world.identity.trusted;
    const { configure } = world.area();
    const { admin } = await import('./deliveries.fixture.ts');
    await configure.put(admin, {
      destinationId: destination.destinationId,
      settings: destination,
      secret: JSON.stringify({ certificate, key }),
      from: '',
    });
    await world.reaches(2);
    await waitUntil('all lines', () => indexes().length === 2);
  });
});

describe('a syslog receiver', () => {
  it.each<[string, (socket: import('node:tls').TLSSocket) => void, RegExp]>([
    [
      'resets the connection after it read',
      (socket) =>
        socket.on('data', () =>
          (socket as unknown as { _parent: import('node:net').Socket })._parent?.resetAndDestroy(),
        ),
      /broke off|before it had read/,
    ],
    ['ends before it has read all', (socket) => socket.end(), /before it had read|broke off/],
    ['never says that it has read', (socket) => socket.resume(), /did not say in time/],
  ])('that %s has taken nothing [trail.delivery-order]', async (_what, behave, sentence) => {
    const tls = createTlsServer({ ...world.identity.trusted, allowHalfOpen: true }, (socket) => {
      socket.on('error', () => undefined);
      behave(socket);
    });
    await new Promise<void>((resolve) => tls.listen(world.ports[1], '127.0.0.1', resolve));
    try {
      await grow(0, 200, { data: { reason: 'x'.repeat(4_000) } });
      await world.add(`tls://siem.test:${world.ports[1]}`, { kind: 'syslog' });
      world.start();
      await waitUntil('a failure', async () => sentence.test((await world.one()).problem), { timeoutMs: 30_000 });
      expect((await world.one()).nextIndex).toBe(0);
    } finally {
      await world.stopAll();
      tls.close();
    }
  });

  it('gets messages that say how long they are', () => {
    const line = { kind: 'entry', text: '{"a":"ü"}', severity: 4, time: new Date(0) } as const;
    const text = '<108>1 1970-01-01T00:00:00.000Z bravo trail ws_a entry - {"a":"ü"}';
    expect(frame({ workspaceId: 'ws_a' }, line).toString()).toBe(`${Buffer.byteLength(text)} ${text}`);
  });
});
