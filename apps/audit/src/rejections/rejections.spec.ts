/** Messages that no log could take: shown, tried again, and judged as any delivery. */
import { createOutbox } from '@bravo/events';
import { createDatabase } from '../databases/database.prisma.ts';
import { createRecordEvents } from '../trail/record-event.ts';
import { eventOf, messageOf } from '../trail/events.fixture.ts';
import { reader, useTrail } from '../trail/trail.fixture.ts';
import { createRejections } from './rejections.prisma.ts';
import { createRetryRejections } from './rejections.ts';

const { open, url, rowsOf, tamper } = useTrail();
const admin = reader({ permissions: ['audit_read', 'manage_members'] });
let database: ReturnType<typeof createDatabase>;
beforeAll(() => {
  database = createDatabase(url('audit'));
});
afterAll(() => database.$disconnect());
const store = () =>
  createRejections(database, createOutbox({ schema: 'audit', producer: 'audit', traceparent: () => '' }));
const rejections = () =>
  createRetryRejections({ rejections: store(), recordEvents: createRecordEvents(open().entries) });

describe('a parked message', () => {
  it('is shown to its workspace with the reason, tried again on record, and never recorded while it is no event', async () => {
    const poison = { subject: 'agent.conversation.created.ws_a', body: 'not an event', sequence: 7 };
    await open().recordAll([poison, messageOf(eventOf({ seq: 8 }))]);
    const [shown] = await rejections().list(admin);
    expect(shown).toMatchObject({ subject: poison.subject, reason: 'It is not JSON.', outcome: '' });
    expect(await rejections().list(reader({ workspaceId: 'ws_b' }))).toEqual([]);
    const id = shown?.id ?? 0;
    await expect(rejections().retry(reader(), id)).rejects.toThrow(/manage_members/);
    await expect(rejections().retry({ ...admin, workspaceId: 'ws_b' }, id)).rejects.toThrow(/no such message/);
    await expect(rejections().retry(admin, id + 1)).rejects.toThrow(/no such message/);
    expect(await rejections().retry(admin, id)).toBe('rejected: It is not JSON.');
    expect(await open().entries.size('ws_a')).toBe(1);
    expect((await rejections().list(admin)).map(({ outcome }) => outcome)).toEqual(['rejected: It is not JSON.']);
    const told = ((await rowsOf('outbox')) as { body: string }[]).map(({ body }) => JSON.parse(body) as object);
    expect(told).toEqual([expect.objectContaining({ type: 'agent.rejection.retried', actor: 'user:usr_alice' })]);
  });

  it('is recorded, once, when what refused it was put right', async () => {
    const message = messageOf(eventOf({ seq: 3 }));
    const { bodyDigest } = { bodyDigest: 'a'.repeat(64) };
    await open().entries.reject({
      streamSequence: 3,
      subject: message.subject,
      bodyDigest,
      body: message.body,
      reason: 'The database cannot hold it.',
    });
    expect(await store().countOpen()).toBe(1);
    const id = (await rejections().list(admin))[0]?.id ?? 0;
    expect(await rejections().retry(admin, id)).toBe('recorded');
    expect(await rejections().retry(admin, id)).toBe('known');
    expect(await open().entries.size('ws_a')).toBe(1);
    expect(await store().countOpen()).toBe(0);
    await tamper(`UPDATE rejections SET body = ''`);
    await expect(rejections().retry(admin, id)).rejects.toThrow(/Only the digest/);
  });
});
