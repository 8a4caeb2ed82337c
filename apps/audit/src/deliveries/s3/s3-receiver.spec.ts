/** The trail as objects in a bucket of a server that checks each signature by itself, as AWS writes it down. */
import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import { waitUntil } from '@bravo/testing';
import { numbered } from '../../trail/trail.fixture.ts';
import { admin, useDeliveries } from '../deliveries.fixture.ts';

const KEYS = { access_key_id: 'AKIATEST', secret_access_key: 'a secret of the test' };
const REGION = 'eu-central-1';
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Signature Version 4, from the request alone. */
const isSigned = ({ method, url = '', headers }: IncomingMessage, body: string): boolean => {
  const found =
    /Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    );
  if (!found) return false;
  const [, accessKey = '', day = '', region = '', signed = '', signature] = found;
  if (accessKey !== KEYS.access_key_id || region !== REGION || headers['x-amz-content-sha256'] !== sha256(body))
    return false;
  if (headers['x-amz-checksum-sha256'] !== createHash('sha256').update(body).digest('base64')) return false;
  const { pathname } = new URL(url, 'https://x');
  const canonical = [
    method,
    pathname,
    '',
    ...signed.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signed,
    sha256(body),
  ].join('\n');
  const toSign = [
    'AWS4-HMAC-SHA256',
    headers['x-amz-date'],
    `${day}/${region}/s3/aws4_request`,
    sha256(canonical),
  ].join('\n');
  const key = hmac(hmac(hmac(hmac(`AWS4${KEYS.secret_access_key}`, day), region), 's3'), 'aws4_request');
  return hmac(key, toSign).toString('hex') === signature;
};

const world = useDeliveries();
const objects = new Map<string, string>();
let full = false;
let server: Server;
beforeEach(async () => {
  objects.clear();
  server = createServer(world.identity.trusted, (request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      if (!isSigned(request, body)) return void response.writeHead(403).end('<Code>SignatureDoesNotMatch</Code>');
      if (full) return void response.writeHead(507).end();
      objects.set(request.url ?? '', body);
      response.writeHead(200, { etag: '"1"' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(world.ports[0], '127.0.0.1', resolve));
});
afterEach(async () => {
  await world.stopAll();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe('an object store', () => {
  it('is brought signed objects in order, the same entries as the same object; a wrong key or a full one is told [trail.deliveries]', async () => {
    await world.recordMany(...numbered(12));
    await world.open().signCheckpoint('ws_a');
    const settings = { kind: 's3', region: REGION } as const;
    const { destination } = await world.add(`https://siem.test:${world.ports[0]}/bucket/trail`, {
      ...settings,
      secret: JSON.stringify({ ...KEYS, secret_access_key: 'another one' }),
    });
    world.start();
    await waitUntil('the refusal', async () => /403/.test((await world.one()).problem));
    full = true;
    await world
      .area()
      .configure.put(admin, {
        destinationId: destination.destinationId,
        settings: destination,
        secret: JSON.stringify(KEYS),
        from: '',
      });
    await waitUntil('that it is full', async () => /507/.test((await world.one()).problem));
    expect(objects.size).toBe(0);
    full = false;
    await world.reaches(12);
    await world.recordMany({ seq: 13 });
    await world.open().signCheckpoint('ws_a');
    await world.reaches(13);
    expect([...objects.keys()]).toEqual([
      '/bucket/trail/ws_a/000000000000-000000000011.jsonl',
      '/bucket/trail/ws_a/000000000012-000000000012.jsonl',
    ]);
    const [head, entry] = [...objects.values()].at(-1)?.split('\n') ?? [];
    expect(JSON.parse(head ?? '')).toMatchObject({
      kind: 'bravo-trail-export',
      size: 13,
      filter: { from_index: '12', to_index: '13' },
    });
    expect(JSON.parse(entry ?? '')).toMatchObject({ index: 12, event: { id: 'evt_ws_a_broker_13' } });
  });
});
