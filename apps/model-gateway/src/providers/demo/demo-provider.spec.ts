import { collect, CONTRACT_TOOLS, modelProviderContract } from '../model-provider.contract.ts';
import type { ModelRequest } from '../model-provider.port.ts';
import { createDemoProvider } from './demo-provider.ts';

modelProviderContract('demo', async () => ({
  provider: createDemoProvider({ wordDelayMs: 1 }),
  model: 'demo',
  reportsUsage: true,
  ask: { text: 'help', call: 'list files' },
}));

const ask = (content: string): ModelRequest => ({
  model: 'demo',
  messages: [{ role: 'user', content }],
  tools: CONTRACT_TOOLS,
  signal: new AbortController().signal,
});

describe('the demo provider', () => {
  it('gives the same answer to the same question, ids included', async () => {
    const provider = createDemoProvider({ wordDelayMs: 0 });
    expect(await collect(provider.stream(ask('list files')))).toEqual(
      await collect(provider.stream(ask('list files'))),
    );
  });

  it('is marked as a demo in its list and in its answers', async () => {
    const provider = createDemoProvider({ wordDelayMs: 0 });
    expect(await provider.listModels(new AbortController().signal)).toMatchObject([{ name: 'demo', demo: true }]);
    const [first] = await collect(provider.stream(ask('hello')));
    expect(first).toMatchObject({ type: 'text', delta: expect.stringContaining('(demo') });
  });

  it('counts one token for every four bytes', async () => {
    const provider = createDemoProvider({ wordDelayMs: 0 });
    const request = ask('hello 🌍');
    const events = await collect(provider.stream(request));
    const text = events.map((event) => (event.type === 'text' ? event.delta : '')).join('');
    expect(events.at(-1)).toMatchObject({
      usage: {
        inputTokens: Math.ceil(Buffer.byteLength(JSON.stringify([request.messages, request.tools])) / 4),
        outputTokens: Math.ceil(Buffer.byteLength(text) / 4),
      },
    });
  });

  it('keeps the time of a long answer short', async () => {
    const provider = createDemoProvider();
    const result = JSON.stringify({ content: [{ type: 'text', text: 'word '.repeat(1_500) }] });
    const call = { id: 'c', name: 'platform__list_files', arguments: '{}' };
    const messages: ModelRequest['messages'] = [
      { role: 'user', content: 'list files' },
      { role: 'assistant', content: '', toolCalls: [call] },
      { role: 'tool', toolCallId: 'c', content: result },
    ];
    const before = performance.now();
    await collect(provider.stream({ ...ask(''), messages }));
    expect(performance.now() - before).toBeLessThan(6_000);
  });
});
