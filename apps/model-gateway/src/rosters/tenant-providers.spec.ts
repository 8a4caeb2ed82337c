/** Provider blocks of tenants from the settings to the server that is asked: real HTTP, gRPC, TLS and database; where a block may lead is decided as identity decides it. */
import 'reflect-metadata';
import { useEgress } from '../../../egress/src/egress.fixture.ts';
import { createOpenSocketFor } from '../providers/open-socket.client.ts';
import { startTlsPeer, type TlsPeer } from '../providers/tls-peer.fixture.ts';
import { bound, type RunningModelGateway, startModelGateway } from '../testing/start-model-gateway.fixture.ts';

/** Public names and the addresses they have; none is what it seems. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'inside.example.com': ['127.0.0.1'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
  'mixed.example.com': ['93.184.216.34', '127.0.0.1'],
  'metadata.example.com': ['169.254.169.254'],
  'nowhere.example.com': [],
};

// A real egress with a resolver of its own, so that nothing here depends on a network.
const egress = useEgress(
  (host) => NAMES[host] ?? (host === 'localhost' ? ['127.0.0.1'] : undefined),
  () => [],
);
let gateway: RunningModelGateway;
let peer: TlsPeer;
beforeAll(async () => {
  const openSocketFor = createOpenSocketFor({ address: egress.address, sign: egress.sign('models') });
  [gateway, peer] = await Promise.all([startModelGateway({}, {}, openSocketFor), startTlsPeer('The lab speaks.')]);
});
afterEach(() => gateway.settings.clear());
afterAll(async () => {
  await Promise.all([gateway?.stop(), peer?.close()]);
});

/** As opencode writes it. */
const lab = (baseURL: string) => ({
  npm: '@ai-sdk/openai-compatible',
  name: 'Lab gateway',
  options: { baseURL, apiKey: '{env:LAB_API_KEY}', headers: { 'x-team': 'docs' } },
  models: { 'qwen3-coder': { name: 'Qwen3 Coder', limit: { context: 262_144, output: 65_536 }, cost: { input: 0.3 } } },
});
const block = (provider: object, model = 'lab/qwen3-coder') => ({ provider: { lab: provider }, model });

let number = 0;
const ask = async (workspace: string, conversationId = 'cnv_1') => {
  const token = `bwt_bravo_tenant_${(number += 1)}`;
  gateway.tokens.set(token, bound(workspace, { conversationId }));
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ model: 'default', messages: [{ role: 'user', content: 'hello' }] }),
  });
  return response.text();
};
const listed = async (workspaceId: string) => {
  const client = await gateway.clientOf('gateway');
  return client.listModels({ search: '' }, { subject: { userId: 'usr_alice', workspaceId } });
};

describe("a tenant's provider block", () => {
  it('of another tool is asked with the workspace’s sealed secret, where the operator listed its host', async () => {
    gateway.settings.set('platform', { allowedProviderHosts: ['localhost'] });
    gateway.settings.set('workspace', block(lab(peer.baseUrl)));
    gateway.secrets.set('ws_lab/LAB_API_KEY', 'sk-of-the-lab');
    expect(await ask('ws_lab')).toContain('The lab speaks.');
    expect(peer.asked).toMatchObject([{ authorization: 'Bearer sk-of-the-lab', body: { model: 'qwen3-coder' } }]);
    expect((await listed('ws_lab')).models[1]).toMatchObject({ id: 'lab/qwen3-coder', contextTokens: 262_144 });
    // Without the secret nothing is sent, and the setting and its layer are named.
    expect(await ask('ws_other')).toMatch(/sealed secret LAB_API_KEY \(provider\.lab\.env of the workspace settings\)/);
    expect(peer.asked).toHaveLength(1);
  });

  it.each([
    ['the name of this machine', () => peer.baseUrl],
    ['a private address', () => 'https://10.0.0.1/v1'],
    ['the metadata service', () => 'https://169.254.169.254/v1'],
    ['a name inside', () => 'https://vault.internal/v1'],
  ])('that leads to %s is no service, and says why [settings.provider]', async (_, url) => {
    const before = peer.asked.length;
    const workspace = `ws_private_${(number += 1)}`;
    gateway.settings.set('workspace', block({ ...lab(url()), options: { baseURL: url(), apiKey: 'k' } }));
    expect(await ask(workspace)).not.toContain('The lab speaks.');
    const { services, notes } = await listed(workspace);
    expect(services.map(({ id }) => id)).toEqual(['demo']);
    expect(notes).toEqual([expect.stringMatching(/^provider\.lab: .*no public host.*\(workspace settings\)$/)]);
    expect(peer.asked).toHaveLength(before);
  });

  it.each(Object.keys(NAMES))(
    'under the public name %s is connected to only where its addresses are public [settings.provider]',
    async (name) => {
      const before = peer.sockets();
      const baseURL = `https://${name}:${new URL(peer.baseUrl).port}/v1`;
      gateway.settings.set('workspace', block({ ...lab(baseURL), options: { baseURL, apiKey: 'k' } }));
      expect(await ask(`ws_rebind_${(number += 1)}`)).toMatch(
        NAMES[name]?.length === 0 ? /cannot be reached/ : /leads to no public host/,
      );
      expect(peer.sockets()).toBe(before);
    },
  );

  it('that the operator listed is connected to under the same name, so that it is the address that was refused', async () => {
    const before = peer.sockets();
    const baseURL = `https://inside.example.com:${new URL(peer.baseUrl).port}/v1`;
    gateway.settings.set('platform', { allowedProviderHosts: ['inside.example.com'] });
    gateway.settings.set('workspace', block({ ...lab(baseURL), options: { baseURL, apiKey: 'k' } }));
    await ask(`ws_rebind_${(number += 1)}`);
    expect(peer.sockets()).toBeGreaterThan(before);
  });

  it('of one conversation answers there and nowhere else', async () => {
    gateway.settings.set('platform', { allowedProviderHosts: ['localhost'] });
    const own = { ...lab(peer.baseUrl), options: { baseURL: peer.baseUrl, apiKey: 'own-key' } };
    gateway.settings.set('conversation/cnv_own', block(own));
    expect(await ask('ws_own', 'cnv_own')).toContain('The lab speaks.');
    expect(peer.asked.at(-1)).toMatchObject({ authorization: 'Bearer own-key' });
    expect(await ask('ws_own', 'cnv_else')).not.toContain('The lab speaks.');
  });
});
