/** Every vendor over its own wire, against aimock as the server: the contract, and a table of what each can do. */
import { LLMock } from '@copilotkit/aimock';
import { capabilities, modelProviderContract } from '../model-provider.contract.ts';
import type { ProviderEntry, ProviderKind } from '../provider-entry.ts';
import { straightSocket } from '../straight-socket.fixture.ts';
import { createOutbound } from './outbound.ts';
import { createVendorProvider } from './vendors.ts';

const usage = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16, input_tokens: 11, output_tokens: 5 };
const LIST = 'platform__list_files';

const startPeer = async (): Promise<LLMock> => {
  const mock = new LLMock({ port: 0, chunkSize: 4 });
  mock.onMessage('say three words', { content: 'one two three', usage });
  mock.onMessage('list', { toolCalls: [{ name: LIST, arguments: '{"directory":"src"}' }], usage });
  const twoCalls = ['a', 'größe'].map((directory) => ({ name: LIST, arguments: JSON.stringify({ directory }) }));
  mock.onMessage('both', { toolCalls: twoCalls, usage });
  mock.onMessage('think', { content: 'Done thinking.', reasoning: 'Let me think.', usage });
  mock.onMessage('too long', { content: 'and so on', finishReason: 'length', usage });
  for (const status of [400, 401, 429, 503])
    mock.onMessage(`fail ${status}`, { status, error: { message: 'because of this', type: 'x', code: 'y' } });
  await mock.start();
  return mock;
};

interface Vendor {
  readonly kind: ProviderKind;
  readonly path: string;
  readonly model: string;
  /** Whether its mock can end an answer for its length. */
  readonly length: boolean;
}

const VENDORS: Readonly<Record<string, Vendor>> = {
  'openai-compatible': { kind: 'openai-compatible', path: '/v1', model: 'some-model', length: true },
  openrouter: { kind: 'openrouter', path: '/api/v1', model: 'z-ai/glm-4.6', length: true },
  openai: { kind: 'openai', path: '/v1', model: 'gpt-5', length: false },
  azure: { kind: 'azure', path: '/v1', model: 'gpt-5', length: false },
  anthropic: { kind: 'anthropic', path: '/v1', model: 'claude-sonnet-4-5', length: true },
  'amazon-bedrock': { kind: 'amazon-bedrock', path: '', model: 'anthropic.claude-sonnet-4-5', length: true },
};

for (const [name, { kind, path, model, length }] of Object.entries(VENDORS)) {
  modelProviderContract(name, async () => {
    const peer = await startPeer();
    const outbound = createOutbound({ connectMs: 1_000, idleMs: 5_000, publicOnly: false, openSocket: straightSocket });
    const entry: ProviderEntry = {
      id: name,
      label: name,
      kind,
      layer: 'workspace',
      baseUrl: `${peer.url}${path}`,
      keyNames: ['SOME_KEY'],
      key: undefined,
      region: 'eu-central-1',
      profile: undefined,
      models: [{ name: model, label: model, contextTokens: null, outputTokens: null, effort: 'unknown', demo: false }],
    };
    const sent: string[] = [];
    const provider = createVendorProvider(entry, {
      fetch: (input, init) => {
        sent.push(String(init?.body));
        return outbound.fetch(input, init);
      },
      readKey: (key) => Promise.resolve(key === 'AWS_SESSION_TOKEN' ? undefined : 'sk-very-secret-key-of-ours'),
    });
    return {
      provider,
      model,
      reportsUsage: true,
      ask: {
        text: 'say three words',
        call: 'list',
        twoCalls: 'both',
        reasoning: 'think',
        ...(length && { length: 'too long' }),
        failing: (status) => `fail ${status}`,
      },
      sent: () => sent,
      close: async () => {
        await outbound.close();
        await peer.stop();
      },
    };
  });
}

describe('what each vendor was seen to do', () => {
  it('is a table without an empty field', () => {
    const columns = [
      'text',
      'usage',
      'tool call',
      'two calls',
      'reasoning',
      'length',
      'pictures',
      'effort',
      'errors',
      'cancel',
    ];
    const rows = [...capabilities].map(([name, seen]) => [name, ...columns.map((column) => seen.get(column) ?? '?')]);
    const table = [['provider', ...columns], ...rows].map((row) => row.map((field) => field.padEnd(18)).join(''));
    process.stdout.write(`${table.join('\n')}\n`);
    expect(rows.flat()).not.toContain('?');
  });
});
