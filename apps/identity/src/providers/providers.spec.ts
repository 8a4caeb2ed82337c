/** Providers resolved by identity, as the model gateway asks for them and as a person is shown them. */
import { describe, expect, it } from '@jest/globals';
import { fails, through as throughGateway, useIdentity } from '../identity.fixture.ts';

const test = useIdentity();
const { as, people } = test;
const through = (name: string) => throughGateway(test, name);

const lab = (options: object = {}) => ({
  provider: {
    lab: { env: ['FIRST_KEY', 'LAB_KEY'], options: { baseURL: 'https://models.example.com/v1', ...options } },
  },
});
const put = (by: string, layer: string, document: object, conversationId?: string) => {
  const userId = layer === 'workspace' ? '' : people[by]!.id;
  const key = {
    workspaceId: people[by]!.ws,
    layer,
    userId,
    ...(conversationId === undefined ? {} : { conversationId }),
  };
  return as.gateway.putSettings({ ...key, documentJson: JSON.stringify(document), ifMatch: 0 }, through(by));
};
const ask = (name: string, conversationId = '') => ({
  workspaceId: people[name]!.ws,
  userId: people[name]!.id,
  conversationId,
});

describe('providers in force', () => {
  it('are told with the secret that signs, its name alone, and a new version when anything changed', async () => {
    await put('alice', 'workspace', { ...lab(), model: 'lab/fast' });
    const before = await as.models.resolveProviders(ask('bob'));
    expect(before).toMatchObject({
      providers: [
        {
          id: 'lab',
          layer: 'workspace',
          baseUrl: 'https://models.example.com/v1',
          keysIn: 'sealed_secrets',
          secretName: '',
        },
      ],
      model: 'lab/fast',
      modelLayer: 'workspace',
    });
    await as.gateway.putSecret({ workspaceId: people['alice']!.ws, name: 'LAB_KEY', value: 'sk-1' }, through('alice'));
    const after = await as.models.resolveProviders(ask('bob'));
    expect(after.providers).toMatchObject([{ secretName: 'LAB_KEY' }]);
    expect(after.version).not.toBe(before.version);
    expect(JSON.stringify(after)).not.toContain('sk-1');
    // A secret of one workspace is no other's.
    await put('carol', 'workspace', lab());
    expect((await as.models.resolveProviders(ask('carol'))).providers).toMatchObject([{ secretName: '' }]);
  });

  it('send a secret only where an admin sends it [settings.secret-destination]', async () => {
    await put('bob', 'user', {
      provider: { mine: { env: ['LAB_KEY'], options: { baseURL: 'https://bob.example.com' } } },
    });
    await put(
      'bob',
      'conversation',
      { provider: { lab: { env: ['LAB_KEY'], options: { baseURL: 'https://bob.example.com' } } } },
      'cnv_1',
    );
    const { providers, refused } = await as.models.resolveProviders(ask('bob', 'cnv_1'));
    expect(providers).toEqual([]);
    expect(refused).toMatchObject([
      { id: 'lab', layer: 'conversation', reason: expect.stringContaining('only an admin') },
      { id: 'mine', layer: 'user' },
    ]);
    await put('alice', 'user', {
      provider: { mine: { env: ['LAB_KEY'], options: { baseURL: 'https://alice.example.com' } } },
    });
    expect((await as.models.resolveProviders(ask('alice'))).providers).toMatchObject([
      { id: 'lab' },
      { id: 'mine', secretName: 'LAB_KEY' },
    ]);
  });

  it('tell a key that is written in a block to the model gateway alone', async () => {
    await put('alice', 'user', lab({ apiKey: 'sk-written' }));
    expect((await as.models.resolveProviders(ask('alice'))).providers).toMatchObject([{ inlineKey: 'sk-written' }]);
    const shown = await as.gateway.resolveProviders(ask('alice'), through('alice'));
    expect(shown.providers).toMatchObject([{ inlineKey: 'withheld' }]);
    await fails(as.gateway.resolveProviders(ask('bob'), through('alice')), 'not_found');
    await fails(as.broker.resolveProviders(ask('bob')), 'permission_denied');
  });

  it('of a platform are the operator’s, who alone may name a profile', async () => {
    const bedrock = { 'amazon-bedrock': { options: { region: 'us-west-2', profile: 'prod' }, models: { 'a.b': {} } } };
    await as.operator.putSettings({
      workspaceId: '',
      layer: 'platform',
      userId: '',
      documentJson: JSON.stringify({ provider: bedrock }),
      ifMatch: 0,
    });
    const { providers } = await as.models.resolveProviders(ask('carol'));
    expect(providers).toMatchObject([
      { id: 'amazon-bedrock', layer: 'platform', keysIn: 'operator', profile: 'prod', models: [{ id: 'a.b' }] },
      { id: 'lab' },
    ]);
  });
});

describe('a layer of one conversation', () => {
  it('is its person’s, apart from every other’s, and gone with its conversation', async () => {
    await put('bob', 'conversation', { model: 'a' }, 'cnv_2');
    const read = (by: string, userId: string, conversationId?: string) =>
      as.gateway.getSettings(
        {
          workspaceId: people[by]!.ws,
          layer: 'conversation',
          userId,
          ...(conversationId === undefined ? {} : { conversationId }),
        },
        through(by),
      );
    expect(await read('bob', people['bob']!.id, 'cnv_2')).toMatchObject({ documentJson: '{"model":"a"}', version: 1 });
    expect(await read('bob', people['bob']!.id, 'cnv_3')).toMatchObject({ version: 0 });
    await fails(read('alice', people['bob']!.id, 'cnv_2'), 'not_found');
    await fails(read('bob', people['bob']!.id), 'invalid_argument');

    // Gone with its conversation, and no other with it.
    await put('bob', 'conversation', { model: 'b' }, 'cnv_3');
    const ended = { workspaceId: people['bob']!.ws, conversationId: 'cnv_2' };
    await fails(as.gateway.eraseConversation(ended, through('bob')), 'permission_denied');
    for (let time = 0; time < 2; time += 1) await as.orchestrator.eraseConversation(ended);
    expect(await read('bob', people['bob']!.id, 'cnv_2')).toMatchObject({ documentJson: '{}', version: 0 });
    expect(await read('bob', people['bob']!.id, 'cnv_3')).toMatchObject({ documentJson: '{"model":"b"}' });
  });
});
