/** What is sent to a model and what is read of the list of models, of servers of our own making. */
import { collect, CONTRACT_TOOLS } from '../model-provider.contract.ts';
import type { ModelRequest } from '../model-provider.port.ts';
import { type Answer, begin, chunk, DONE, listed, providerAt, type RawPeer, startRawPeer } from './raw-peer.fixture.ts';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});
const peerOf = async (answer: Answer): Promise<RawPeer> => {
  const peer = await startRawPeer(answer);
  open.push(peer.close);
  return peer;
};
const ask = (): ModelRequest => ({
  model: 'm',
  messages: [{ role: 'user', content: 'hi' }],
  tools: CONTRACT_TOOLS,
  signal: new AbortController().signal,
});
const sse =
  (text: string): Answer =>
  (response) =>
    void begin(response).end(text);

describe("a model's options", () => {
  it('reach the body as they stand and replace nothing the turn built', async () => {
    const peer = await peerOf(sse(chunk({ content: 'x' }) + chunk({}, 'stop') + DONE));
    const options = { provider: { order: ['x'] }, model: 'other', messages: [], stream: false, novel: 1 };
    await collect(providerAt(peer.url, { models: [listed('m', { options })] }).stream(ask()));
    expect(peer.asked[0]?.body).toMatchObject({ provider: { order: ['x'] }, model: 'm', stream: true, novel: 1 });
    expect(peer.asked[0]?.body['messages']).toHaveLength(1);
  });
});

describe('the list of models', () => {
  const models = {
    data: [
      { id: 'a', context_length: 5, supported_parameters: ['tools', 'reasoning_effort'] },
      { id: 'b', supported_parameters: ['temperature'] },
      { id: 'c' },
    ],
  };
  const listing =
    (narrow: number): Answer =>
    (response, { path }) =>
      void response
        .writeHead(path.endsWith('/user') ? narrow : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(path.endsWith('/user') ? { data: [{ id: 'mine' }] } : models));
  const list = async (narrow: number) => {
    const peer = await peerOf(listing(narrow));
    const provider = providerAt(peer.url, { models: [] });
    return provider.listModels(new AbortController().signal);
  };

  it('is what the key may reach; the catalogue, where that is not offered, without what calls no tools', async () => {
    expect((await list(200)).map(({ name }) => name)).toEqual(['mine']);
    expect(await list(404)).toMatchObject([
      { name: 'a', contextTokens: 5, effort: 'read' },
      { name: 'c', contextTokens: null, effort: 'unknown' },
    ]);
    await expect(list(401)).rejects.toMatchObject({ kind: 'unauthorized' });
  });
});
