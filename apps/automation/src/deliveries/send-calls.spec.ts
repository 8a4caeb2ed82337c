/** Notifications to a person's webhook: through a real egress to an HTTPS server that fails first. */
import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '@bravo/chassis';
import { startTestPostgres, type TestPostgres } from '@bravo/testing';
import { chooseFreePort } from '@bravo/tools/stack/ports';
import { generate } from 'selfsigned';
import { useEgress } from '../../../egress/src/egress.fixture.ts';
import { createDatabase, type Database } from '../databases/database.prisma.ts';
import { readHappening } from '../happenings/happening.ts';
import { createHappenings } from '../happenings/happenings.prisma.ts';
import { createTakeHappening } from '../happenings/take-happening.ts';
import { createInboxStore } from '../notifications/inbox.prisma.ts';
import { createInbox } from '../notifications/inbox.ts';
import { createDeliveries } from './deliveries.prisma.ts';
import { createSendCalls } from './send-calls.ts';
import { createWebhookChannel } from './webhook-channel.client.ts';
import { createSecretOf } from './webhook-secret.ts';
import { createWebhooks } from './webhooks.prisma.ts';

let port = 0;
let other = 0;
let certificate = '';
let server: Server;
let postgres: TestPostgres;
let database: Database;
const answers: number[] = [];
const taken: { headers: IncomingHttpHeaders; body: string }[] = [];
beforeAll(async () => {
  [port, other] = [await chooseFreePort(), await chooseFreePort()];
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'hook.test' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'hook.test' }] }],
  } as never);
  certificate = cert;
  server = createServer({ key, cert }, (request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      taken.push({ headers: request.headers, body });
      response.writeHead(answers.shift() ?? 204).end('words of the server');
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  postgres = await startTestPostgres({ app: 'automation', schema: 'automation' });
  database = createDatabase(postgres.url('automation'));
});
const bed = useEgress(
  () => ['127.0.0.1'],
  () => [`automation=hook.test:${port}`],
);
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await database.$disconnect();
  await postgres.stop();
});
beforeEach(async () => {
  taken.length = 0;
  answers.length = 0;
  await postgres.asOwner('automation', 'TRUNCATE deliveries, notifications, activities, places, preferences');
});

const secretOf = createSecretOf('the key of the service');
const inbox = () => createInbox(createInboxStore(database), secretOf);
const bob: Principal = {
  ...{ issuer: 'gateway', audience: 'automation', userId: 'usr_bob', workspaceId: 'ws_a', role: 'member' },
  ...{ permissions: ['view_content'], agent: undefined },
};
const wants = (webhook: string) =>
  inbox().setPreferences(bob, {
    ...{ email: [], digest: '', quietFrom: '', quietTo: '', timeZone: 'UTC' },
    ...{ webhook, webhookKinds: ['approval_wanted'] },
  });
const members = {
  find: async () => ({ userId: 'usr_bob', email: '', permissions: ['view_content'], workspaceSlug: 'acme' }),
  auditors: async () => [],
};
const take = async (id: string, type = 'agent.tool.approval_requested'): Promise<void> => {
  const event = {
    ...{ id, type, time: new Date().toISOString(), workspace: 'ws_a', conversation: 'cnv_1', actor: 'bravo:usr_bob' },
    onbehalfof: 'usr_bob',
    data: {
      tool_call_id: 'tc_1',
      tool: 'execute_script',
      approval_id: `apr_${id}`,
      asks: [{ code: 'x', text: 'rm -rf' }],
    },
  };
  const happenings = createHappenings(database, false, () => new Date());
  const happening = readHappening(`${type}.ws_a`, JSON.stringify(event));
  if (happening) await createTakeHappening({ happenings, members, longTurnMs: 60_000 })(happening);
};
const send = () =>
  createSendCalls({
    ...{ deliveries: createDeliveries(database), members, secretOf, webhooks: createWebhooks(database) },
    ...{ publicUrl: 'http://bravo.example', onSent: () => undefined },
    channel: createWebhookChannel({ address: bed.address, sign: bed.sign('automation'), certificates: [certificate] }),
  })();
// In the past: the database rounds its time to milliseconds, upwards too.
const again = () =>
  database.$executeRaw`UPDATE "deliveries" SET "due_at" = now() - interval '1 second' WHERE "state" = 'pending'`;
const row = () => database.delivery.findFirst({ orderBy: { notificationId: 'desc' } });

describe('a webhook of a person', () => {
  it('is called with our words, signed, once for each event, again under the same id until it takes it [notify.webhook]', async () => {
    const { webhookSecret } = await wants(`https://hook.test:${port}/bravo`);
    answers.push(500, 302);
    await take('evt_1');
    await take('evt_1');
    await send();
    expect(await row()).toMatchObject({ state: 'pending', problem: 'It answered 500.' });
    expect(await inbox().webhookProblem(bob)).toBe('It answered 500.');
    for (const _ of [1, 2]) {
      await again();
      await send();
    }
    expect(await row()).toMatchObject({ state: 'sent', tries: 3 });
    expect(await inbox().webhookProblem(bob)).toBe('');
    expect(taken.map(({ headers }) => headers['webhook-id'])).toEqual(Array(3).fill('evt_1_approval_wanted'));
    for (const { headers, body } of taken) {
      const signed = `evt_1_approval_wanted.${String(headers['webhook-timestamp'])}.${body}`;
      const key = Buffer.from(webhookSecret.replace('whsec_', ''), 'base64');
      expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
      expect(JSON.parse(body)).toMatchObject({ data: { event_id: 'evt_1', link: 'http://bravo.example/acme/cnv_1' } });
      expect(body).not.toContain('rm -rf');
    }
    const told = (await bed.events()).filter(({ type }) => type === 'agent.egress.allowed');
    expect(told[0]).toMatchObject({
      workspace: 'ws_a',
      data: { service: 'automation', purpose: 'delivery', host: 'hook.test' },
    });
  });

  it('has a secret of its own for each host, and is not called once it is gone', async () => {
    const first = await wants(`https://hook.test:${port}/a`);
    expect((await wants(`https://hook.test:${port}/b`)).webhookSecret).toBe('');
    const moved = await wants('https://elsewhere.test/');
    expect(moved.webhookSecret).toMatch(/^whsec_/);
    expect(moved.webhookSecret).not.toBe(first.webhookSecret);
    await wants(`https://hook.test:${port}/a`);
    await take('evt_2');
    await wants('');
    await send();
    expect([taken.length, (await row())?.state]).toEqual([0, 'dropped']);
  });

  it('leads to nothing of this network, nor anywhere without TLS [notify.webhook]', async () => {
    for (const url of ['http://hook.test/', 'https://me:word@hook.test/', 'file:///etc/passwd', 'hook'])
      await expect(wants(url)).rejects.toMatchObject({ meta: { field: 'webhook' } });
    await wants(`https://hook.test:${other}/`);
    await take('evt_3');
    await send();
    expect(await row()).toMatchObject({ state: 'pending', problem: expect.stringContaining('not public') });
  });
});
