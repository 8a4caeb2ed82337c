/** Events become a feed, notifications and letters: once each, to whose they are, through a real mail server that fails as mail servers do. */
import type { Principal } from '@bravo/chassis';
import { startTestPostgres, type TestPostgres, waitUntil } from '@bravo/testing';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import { createDatabase, type Database } from './databases/database.prisma.ts';
import { createDeliveries } from './deliveries/deliveries.prisma.ts';
import { createSendDue } from './deliveries/send-due.ts';
import { createSecretOf } from './deliveries/webhook-secret.ts';
import { createSmtpChannel } from './deliveries/smtp/smtp-channel.ts';
import { readHappening } from './happenings/happening.ts';
import { createHappenings } from './happenings/happenings.prisma.ts';
import { createTakeHappening } from './happenings/take-happening.ts';
import type { Member, Members } from './members/members.port.ts';
import { createInboxStore } from './notifications/inbox.prisma.ts';
import { createInbox } from './notifications/inbox.ts';

let postgres: TestPostgres;
let database: Database;
let port: number;
const letters: { to: string[]; text: string }[] = [];
/** What the server answers next; empty: it takes the letter. */
const answers: string[] = [];
const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  onData(stream: SMTPServerDataStream, session, done) {
    const pieces: Buffer[] = [];
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    stream.on('end', () => {
      const refusal = answers.shift();
      if (refusal) return done(Object.assign(new Error(refusal), { responseCode: 451 }));
      letters.push({
        to: session.envelope.rcptTo.map(({ address }) => address),
        text: Buffer.concat(pieces).toString(),
      });
      done();
    });
  },
});

beforeAll(async () => {
  postgres = await startTestPostgres({ app: 'automation', schema: 'automation' });
  database = createDatabase(postgres.url('automation'));
  port = await new Promise((resolve) => {
    const listening = server.listen(0, '127.0.0.1', () => resolve((listening.address() as { port: number }).port));
  });
});
afterAll(async () => {
  await new Promise<void>((resolve) => server.close(() => resolve()));
  await database.$disconnect();
  await postgres.stop();
});
beforeEach(async () => {
  letters.length = 0;
  answers.length = 0;
  await postgres.asOwner('automation', 'TRUNCATE deliveries, notifications, activities, places, preferences');
});

const everybody = new Map<string, Member>();
const members: Members = {
  find: async (_workspace, userId) => everybody.get(userId),
  auditors: async () => ['usr_alice'],
};
beforeEach(() => {
  for (const name of ['alice', 'bob'])
    everybody.set(`usr_${name}`, {
      userId: `usr_${name}`,
      email: `${name}@example.com`,
      permissions: ['view_content'],
      workspaceSlug: 'acme',
    });
});

let made = 0;
const event = (type: string, data: object, over: object = {}) => ({
  id: `evt_${(made += 1)}`,
  type,
  time: new Date().toISOString(),
  workspace: 'ws_a',
  conversation: 'cnv_1',
  actor: 'bravo:usr_bob',
  onbehalfof: 'usr_bob',
  data,
  ...over,
});
const take = async (one: ReturnType<typeof event>, now = new Date()) => {
  const happenings = createHappenings(database, true, () => now);
  const happening = readHappening(`${one.type}.${one.workspace}`, JSON.stringify(one));
  if (happening) await createTakeHappening({ happenings, members, longTurnMs: 60_000 })(happening);
};
const wanted = (over: object = {}) =>
  event('agent.tool.approval_requested', {
    tool_call_id: 'tc_1',
    tool: 'execute_script',
    approval_id: 'apr_1',
    asks: [{ code: 'x', text: 'rm -rf' }],
    ...over,
  });
const send = () =>
  createSendDue({
    deliveries: createDeliveries(database),
    members,
    publicUrl: 'http://bravo.example',
    onSent: () => undefined,
    channel: createSmtpChannel({ url: `smtp://127.0.0.1:${port}`, from: 'Bravo <bravo@example.com>', plain: true }),
  })();

const person = (userId: string, over: Partial<Principal> = {}): Principal => ({
  issuer: 'gateway',
  audience: 'automation',
  userId,
  workspaceId: 'ws_a',
  role: 'member',
  permissions: ['view_content'],
  agent: undefined,
  ...over,
});
const inbox = () => createInbox(createInboxStore(database), createSecretOf('the key of the service'));
const first = { limit: 0, cursor: '' };
const byEmail = (userId: string, over: object = {}) =>
  inbox().setPreferences(person(userId), {
    email: ['approval_wanted', 'turn_finished'],
    digest: '',
    quietFrom: '',
    quietTo: '',
    timeZone: 'UTC',
    ...{ webhook: '', webhookKinds: [] },
    ...over,
  });
const states = async () =>
  (await database.delivery.findMany({ orderBy: { notificationId: 'asc' } })).map(({ state }) => state);
const texts = async (userId: string) => (await inbox().activities(person(userId), first)).rows.map(({ text }) => text);

describe('the feed', () => {
  it('tells what @bravo did and where, in our words, to whose it is [notify.own]', async () => {
    await take(event('agent.conversation.created', { mode: 'coworker', project_id: 'Website' }));
    const ran = event('agent.code.executed', { tool_call_id: 'tc_1', language: 'python', outcome: 'completed' });
    await take(ran);
    await take(ran);
    await take(event('agent.tool.executed', { tool: 'write_file\u202e<b>', status: 'failed' }));
    await take(
      event(
        'agent.config.changed',
        { version: 2, changed: ['enabled'] },
        { actor: 'user:usr_alice', onbehalfof: undefined, conversation: undefined },
      ),
    );
    await take(event('agent.pod.claimed', { pod_id: 'pod_1' }));
    expect(await texts('usr_bob')).toEqual([
      "@bravo's configuration was changed",
      '@bravo used write_fileb in Website (failed)',
      '@bravo ran a Python script in Website',
      'A conversation with @bravo began in Website',
    ]);
    expect(await texts('usr_alice')).toEqual(["@bravo's configuration was changed"]);
    expect((await inbox().activities(person('usr_bob', { workspaceId: 'ws_b' }), first)).rows).toEqual([]);
  });

  it('comes in pages', async () => {
    for (let at = 0; at < 5; at += 1) await take(event('agent.grant.revoked', { grant_id: 'g', reason: 'r' }));
    const one = await inbox().activities(person('usr_bob'), { limit: 2, cursor: '' });
    const two = await inbox().activities(person('usr_bob'), { limit: 4, cursor: one.nextCursor });
    expect([one.rows.length, two.rows.length, two.nextCursor]).toEqual([2, 3, '']);
    await expect(inbox().activities(person('usr_bob'), { limit: 2, cursor: 'x' })).rejects.toThrow(/cursor/);
  });
});

describe('a notification', () => {
  it('is made once per event for whom it concerns, and read by nobody else [notify.own]', async () => {
    const one = wanted();
    await take(one);
    await take(one);
    await take(event('agent.turn.finished', { turn_id: 't', status: 'completed', duration_ms: 59_000 }));
    await take(event('agent.turn.finished', { turn_id: 't', status: 'failed', duration_ms: 200_000 }));
    await take(
      event(
        'agent.trail.alerted',
        { kind: 'signing', reason: 'entry 5 was changed' },
        { actor: 'service:audit', onbehalfof: undefined, conversation: undefined },
      ),
    );
    const mine = await inbox().notifications(person('usr_bob'), first, false);
    expect(mine.rows.map(({ text }) => text)).toEqual([
      '@bravo has stopped without an answer after 3 minutes.',
      '@bravo waits for your answer: may it use execute_script?',
    ]);
    expect(mine.unread).toBe(2);
    const alices = await inbox().notifications(person('usr_alice'), first, false);
    expect(alices.rows).toMatchObject([
      { kind: 'trail_problem', text: 'The trail needs somebody: entry 5 was changed', read: false },
    ]);
    // Somebody else's ids change nothing.
    expect(
      await inbox().markRead(
        person('usr_alice'),
        mine.rows.map(({ id }) => String(id)),
        false,
      ),
    ).toBe(1);
    expect((await inbox().notifications(person('usr_bob'), first, true)).rows).toHaveLength(2);
    expect(await inbox().markRead(person('usr_bob'), [], true)).toBe(0);
    await expect(
      inbox().notifications(person('usr_bob', { agent: { conversationId: 'cnv_1', podId: 'pod_1' } }), first, false),
    ).rejects.toThrow(/agent/);
    await expect(inbox().preferences(person('service:broker'))).rejects.toThrow(/person/);
  });

  it('of a question is settled by the answer, also one that was not sent yet', async () => {
    await byEmail('usr_bob');
    await take(wanted());
    await take(
      event(
        'agent.tool.approved',
        { tool: 'execute_script', approval_id: 'apr_1' },
        { actor: 'user:usr_bob', onbehalfof: undefined },
      ),
    );
    expect((await inbox().notifications(person('usr_bob'), first, true)).rows).toEqual([]);
    await send();
    expect([letters.length, await states()]).toEqual([0, ['dropped']]);
  });

  it('is never made of a message whose subject names another type or workspace', () => {
    const one = wanted();
    expect(readHappening('agent.tool.approval_requested.ws_b', JSON.stringify(one))).toBeUndefined();
    expect(readHappening(`${one.type}.ws_a`, 'not json')).toBeUndefined();
  });
});

describe('a letter', () => {
  it('goes to whoever asked for it, with a link and nothing that was said', async () => {
    await take(wanted());
    await byEmail('usr_bob');
    await take(wanted({ approval_id: 'apr_2' }));
    await send();
    await send();
    expect(letters.map(({ to }) => to)).toEqual([['bob@example.com']]);
    expect(letters[0]?.text).toContain('http://bravo.example/acme/cnv_1');
    expect(letters[0]?.text).not.toContain('rm -rf');
    expect(await states()).toEqual(['sent']);
  });

  it('is one for all that came in quiet hours, once they are over [notify.quiet]', async () => {
    await byEmail('usr_bob', { quietFrom: '22:00', quietTo: '07:00' });
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const night = (time: string) => new Date(`${yesterday}T${time}:00Z`);
    for (const approval of ['apr_1', 'apr_2', 'apr_3']) await take(wanted({ approval_id: approval }), night('23:00'));
    const due = await database.delivery.findMany();
    expect(due.every(({ dueAt }) => dueAt.toISOString().slice(11, 16) === '07:00')).toBe(true);
    await send();
    expect(letters).toHaveLength(due[0] && due[0].dueAt <= new Date() ? 1 : 0);
    await database.$executeRaw`UPDATE "deliveries" SET "due_at" = now() - interval '1 second'`;
    await send();
    expect(letters).toHaveLength(1);
    expect(letters[0]?.text).toContain('Subject: 3 things from @bravo');
  });

  it('is tried again where the server refuses it, under the same id, and not sent to who left', async () => {
    await byEmail('usr_bob');
    await byEmail('usr_alice');
    answers.push('try later');
    await take(wanted());
    await send();
    expect(await states()).toEqual(['pending']);
    expect((await database.delivery.findFirst())?.problem).toContain('try later');
    await database.$executeRaw`UPDATE "deliveries" SET "due_at" = now() - interval '1 second'`;
    await send();
    const id = /^Message-ID: (.*)$/m.exec(letters[0]?.text ?? '')?.[1];
    expect(id).toMatch(/^<[0-9a-f]{32}@bravo>/);
    everybody.delete('usr_bob');
    await take(wanted({ approval_id: 'apr_9' }));
    await send();
    expect([letters.length, await states()]).toEqual([1, ['sent', 'dropped']]);
  });

  it('is sent once where two processes send', async () => {
    await byEmail('usr_bob');
    for (const approval of ['apr_1', 'apr_2']) await take(wanted({ approval_id: approval }));
    await Promise.all([send(), send(), send()]);
    await waitUntil('everything to be sent', async () => (await states()).every((state) => state === 'sent'));
    const told = letters.map(({ text }) => text).join('\n');
    expect(told.split('may it use execute_script?').length - 1).toBeGreaterThanOrEqual(2);
    expect(new Set(letters.map(({ text }) => /^Message-ID: (.*)$/m.exec(text)?.[1])).size).toBe(letters.length);
  });

  it('is refused by an address that is a list, and by a server without TLS unless the operator allows it', async () => {
    await byEmail('usr_bob');
    everybody.set('usr_bob', { ...(everybody.get('usr_bob') as Member), email: 'bob@example.com, eve@example.com' });
    await take(wanted());
    await send();
    expect([letters.length, await states()]).toEqual([0, ['failed']]);
    const careful = createSmtpChannel({ url: `smtp://127.0.0.1:${port}`, from: 'a@example.com', plain: false });
    await expect(careful.send({ id: 'x', to: 'bob@example.com', subject: 's', text: 't' })).rejects.toThrow(
      /STARTTLS|TLS/,
    );
    careful.close();
  });
});
