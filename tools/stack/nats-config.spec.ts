/** The rendered configuration gives each user its own subjects and nothing else, on a real server. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NATS_PERMISSIONS } from '@bravo/events/nats/permissions';
import { startTestNats, type TestNats } from '@bravo/testing';
import { connect } from '@nats-io/transport-node';
import { renderNatsConfig } from './nats-config.ts';
import { newEnough, parseNatsVersion } from './nats-program.ts';

describe('renderNatsConfig', () => {
  it('writes nobody a permission for nothing as a permission for everything', () => {
    const users = [{ name: 'mute', password: 'p"w', publish: [], subscribe: [] }];
    const text = renderNatsConfig({ port: 4222, storeDirectory: '/a b/"c"', users, durable: true });
    expect(text).toContain('publish: { deny: ">" }');
    expect(text).toContain('subscribe: { deny: ">" }');
    expect(text).toContain('password: "p\\"w"');
    expect(text).toContain('store_dir: "/a b/\\"c\\""');
    expect(text).toContain('sync_interval: always');
    expect(text).toContain('listen: "127.0.0.1:4222"');
  });
});

describe('the services as NATS users', () => {
  let nats: TestNats;
  beforeAll(async () => {
    nats = await startTestNats(
      Object.entries(NATS_PERMISSIONS).map(([name, permissions]) => ({ name, password: name, ...permissions })),
    );
  });
  afterAll(() => nats.stop());

  it('lets nobody publish or hear what is not theirs', async () => {
    const gateway = await connect({ servers: nats.url, user: 'gateway', pass: 'gateway' });
    const refused: string[] = [];
    const watch = (async () => {
      for await (const status of gateway.status()) {
        if (status.type === 'error') refused.push(String((status as { error?: Error }).error));
      }
    })();
    gateway.publish('agent.tool.approved.ws_1', 'forged');
    const heard = gateway.subscribe('_INBOX_audit.>', { callback: () => undefined });
    await gateway.flush();
    await new Promise((resolve) => setTimeout(resolve, 200));
    heard.unsubscribe();
    await gateway.close();
    await watch;
    expect(refused.some((text) => /Publish/i.test(text))).toBe(true);
    expect(refused.some((text) => /Subscription/i.test(text))).toBe(true);
  });
});

describe('NATS versions', () => {
  it.each([
    ['nats-server: v2.15.1', true],
    ['nats-server: v2.10.0', true],
    ['nats-server: v2.9.10', false],
    ['nats-server: v3.0.0', true],
    ['something else', false],
  ])('%s: new enough is %p', (said, wanted) => expect(newEnough(parseNatsVersion(said))).toBe(wanted));
});
