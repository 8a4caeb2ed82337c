/** Who may send the trail elsewhere, where it may go, and what of a secret is ever seen again. */
import { createKeyWrapper } from '../contents/wrap-key.ts';
import { createLogger } from '@bravo/chassis';
import { member, numbered, reader, useTrail } from '../trail/trail.fixture.ts';
import type { SpelledDestination } from './read-destination.ts';
import { createDeliveryArea } from './deliveries.module.ts';

const { open, recordMany, rowsOf, signer } = useTrail();
const admin = reader({ permissions: ['view_content', 'audit_read', 'manage_members'] });
const settings: SpelledDestination = {
  ...{ name: 'SIEM', kind: 'webhook', url: 'https://siem.example/trail', format: 'jsonl', everySeconds: 10 },
  ...{ region: '', certificates: '', paused: false },
};
const area = () =>
  createDeliveryArea({
    ...open(),
    ...{
      signer,
      wrapper: createKeyWrapper(new Uint8Array(32)),
      logger: createLogger('audit', 'silent'),
      wayOut: undefined,
    },
  });
const put = (
  over: Partial<SpelledDestination> = {},
  more: { destinationId?: string; secret?: string; from?: string } = {},
  by = admin,
) =>
  area().configure.put(by, {
    ...{ destinationId: '', secret: '', from: '' },
    ...more,
    settings: { ...settings, ...over },
  });

describe('a destination', () => {
  it('is set by whoever reads all of the trail and manages members, on record, and by nobody else [trail.destination-set]', async () => {
    await expect(put({}, {}, reader())).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(put({}, {}, member('usr_bob'))).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(area().configure.list(member('usr_bob'))).rejects.toMatchObject({ code: 'permission_denied' });
    const { destination, signingSecret } = await put();
    const { destinationId } = destination;
    const stranger = reader({ workspaceId: 'ws_b', permissions: admin.permissions });
    await expect(put({}, { destinationId }, stranger)).rejects.toMatchObject({ code: 'not_found' });
    await expect(area().configure.remove(stranger, destinationId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(area().configure.remove(reader(), destinationId)).rejects.toMatchObject({ code: 'permission_denied' });
    expect(await area().configure.list(stranger)).toEqual([]);
    await put({ paused: true }, { destinationId });
    await area().configure.remove(admin, destinationId);
    expect(await area().configure.list(admin)).toEqual([]);
    const told = (await rowsOf('outbox')).map(
      ({ body }) => JSON.parse(body as string) as { type: string; actor: string; data: object },
    );
    expect(told).toMatchObject(
      ['added', 'changed', 'removed'].map((change) => ({
        type: 'agent.destination.changed',
        actor: 'user:usr_alice',
        data: { change, destination_id: destinationId, host: 'siem.example', kind: 'webhook' },
      })),
    );
    expect(JSON.stringify([told, await rowsOf('destinations')])).not.toContain(signingSecret);
  });

  it('keeps its secret while it stays where it is, and loses it with its host [trail.destination-secret]', async () => {
    const { destination, signingSecret } = await put();
    const { destinationId } = destination;
    expect((await put({ url: 'https://siem.example/other' }, { destinationId })).signingSecret).toBe('');
    const elsewhere = await put({ url: 'https://evil.example/trail' }, { destinationId });
    expect(elsewhere.signingSecret).toMatch(/^whsec_/);
    expect(elsewhere.signingSecret).not.toBe(signingSecret);
    const s3 = { kind: 's3', name: 'bucket', url: 'https://s3.example/bucket', region: 'eu-1' } as const;
    const kept = await put(s3, { secret: JSON.stringify({ access_key_id: 'A', secret_access_key: 'B' }) });
    const { destinationId: bucket } = kept.destination;
    await put({ ...s3, everySeconds: 60 }, { destinationId: bucket });
    await expect(put({ ...s3, url: 'https://evil.example/bucket' }, { destinationId: bucket })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });

  it.each<[string, Partial<SpelledDestination>, string]>([
    ['plain HTTP', { url: 'http://siem.example/' }, 'url'],
    ['a user in the address', { url: 'https://me:word@siem.example/' }, 'url'],
    ['no address', { url: 'siem' }, 'url'],
    ['syslog without TLS', { kind: 'syslog', url: 'tcp://siem.example:514' }, 'url'],
    ['an object store without a bucket', { kind: 's3', region: 'eu-1', url: 'https://s3.example' }, 'url'],
    ['no kind of ours', { kind: 'ftp' }, 'kind'],
    ['CSV', { format: 'csv' }, 'format'],
    ['no pause', { everySeconds: 0 }, 'every_seconds'],
    ['a name without an end', { name: 'x'.repeat(81) }, 'name'],
    ['certificates that are none', { certificates: 'trust me' }, 'certificates'],
  ])('of %s is refused, naming the field', async (_what, over, field) => {
    await expect(put(over)).rejects.toMatchObject({ code: 'invalid_argument', meta: { field } });
  });

  it('begins now, at the beginning or at an entry of the log, and nowhere else', async () => {
    await recordMany(...numbered(5));
    await open().signCheckpoint('ws_a');
    expect((await put()).destination.nextIndex).toBe(5);
    expect((await put({ name: 'b' }, { from: 'beginning' })).destination.nextIndex).toBe(0);
    expect((await put({ name: 'c' }, { from: '3' })).destination.nextIndex).toBe(3);
    for (const from of ['6', '-1', 'yesterday'])
      await expect(put({ name: 'd' }, { from })).rejects.toMatchObject({ meta: { field: 'from' } });
    await expect(put()).rejects.toMatchObject({ code: 'conflict' });
  });
});
