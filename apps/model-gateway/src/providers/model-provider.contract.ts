/** What every model provider must do, run against a real one over its real wire; an adapter is finished when this passes. What it can do beside is said in a table. */
import { ModelProviderError } from './model-provider.port.ts';
import type { ModelEvent, ModelMessage, ModelProvider, ModelRequest } from './model-provider.port.ts';

/** Questions that make this provider answer in the way named; one that is absent cannot be asked of it. */
export interface Questions {
  /** Text only, in several pieces. */
  readonly text: string;
  /** Exactly one call of the tool `platform__list_files`. */
  readonly call: string;
  /** Two calls in one answer. */
  readonly twoCalls?: string;
  /** Text after it said what it thinks. */
  readonly reasoning?: string;
  /** An answer that ended for its length. */
  readonly length?: string;
  /** An error with this status, and what the server says of it. */
  readonly failing?: (status: number) => string;
}

export interface ProviderUnderTest {
  readonly provider: ModelProvider;
  readonly model: string;
  /** Whether it counts the tokens of this text; one that does not says null and never zero. */
  readonly reportsUsage: boolean;
  readonly ask: Questions;
  /** The bodies its server was sent; absent where there is no server. */
  readonly sent?: () => readonly string[];
  readonly close?: () => Promise<void>;
}

export const CONTRACT_TOOLS: ModelRequest['tools'] = [
  {
    name: 'platform__list_files',
    description: 'Lists files.',
    parameters: { type: 'object', properties: { directory: { type: 'string' } }, additionalProperties: false },
  },
];

/** A picture of one pixel. */
export const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const collect = async (events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> => {
  const all: ModelEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
};

export const textOf = (events: readonly ModelEvent[]): string =>
  events.map((event) => (event.type === 'text' ? event.delta : '')).join('');

/** provider -> capability -> what was seen; printed by whoever runs several providers. */
export const capabilities = new Map<string, Map<string, string>>();

export function modelProviderContract(name: string, start: () => Promise<ProviderUnderTest>): void {
  describe(`model provider: ${name}`, () => {
    let under: ProviderUnderTest;
    const seen = new Map<string, string>();
    beforeAll(async () => {
      under = await start();
      capabilities.set(name, seen);
    });
    afterAll(async () => under.close?.());

    const request = (content: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
      model: under.model,
      messages: [{ role: 'user', content }],
      tools: CONTRACT_TOOLS,
      signal: new AbortController().signal,
      ...more,
    });
    const callsOf = (events: readonly ModelEvent[]) =>
      events.flatMap((event) => (event.type === 'tool_call' ? [event.call] : []));
    const can = (capability: string, how = 'yes') => seen.set(capability, how);

    it('lists at least one model, and every name once', async () => {
      const names = (await under.provider.listModels(new AbortController().signal)).map((model) => model.name);
      expect(names.length).toBeGreaterThan(0);
      expect(new Set(names).size).toBe(names.length);
    });

    it('streams text in pieces and finishes exactly once, last, with usage where it knows it', async () => {
      let alive = 0;
      const events = await collect(under.provider.stream(request(under.ask.text, { onAlive: () => (alive += 1) })));
      expect(events.filter(({ type }) => type === 'text').length).toBeGreaterThan(1);
      expect(events.filter(({ type }) => type === 'finish')).toHaveLength(1);
      expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
      const end = events.at(-1);
      if (end?.type !== 'finish') throw new Error('no end');
      for (const count of [end.usage.inputTokens, end.usage.outputTokens])
        expect(under.reportsUsage ? (count ?? 0) > 0 : count === null).toBe(true);
      if (under.sent) expect(alive).toBeGreaterThan(1);
      can('text');
      can('usage', under.reportsUsage ? 'yes' : 'null');
    });

    it('gives a tool call whole, with arguments that are a JSON object', async () => {
      const events = await collect(under.provider.stream(request(under.ask.call)));
      const calls = callsOf(events);
      expect(calls).toHaveLength(1);
      expect(calls[0]?.name).toBe('platform__list_files');
      expect(calls[0]?.id).not.toBe('');
      expect(JSON.parse(calls[0]?.arguments ?? '')).toEqual(expect.any(Object));
      expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'tool_calls' });
      can('tool call');
    });

    it('gives two calls of one answer under two ids, where it makes two', async () => {
      if (under.ask.twoCalls === undefined) return void can('two calls', '-');
      const calls = callsOf(await collect(under.provider.stream(request(under.ask.twoCalls))));
      expect(calls).toHaveLength(2);
      expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
      expect(calls.map((call) => JSON.parse(call.arguments) as unknown)).toEqual([
        { directory: 'a' },
        { directory: 'größe' },
      ]);
      can('two calls');
    });

    it('tells what the model thinks apart from what it says, where it says so', async () => {
      if (under.ask.reasoning === undefined) return void can('reasoning', '-');
      const events = await collect(under.provider.stream(request(under.ask.reasoning)));
      const thought = events.map((event) => (event.type === 'reasoning' ? event.delta : '')).join('');
      expect(thought).toBe('Let me think.');
      expect(textOf(events)).toBe('Done thinking.');
      can('reasoning');
    });

    it('says that an answer ended for its length', async () => {
      if (under.ask.length === undefined) return void can('length', '-');
      const events = await collect(under.provider.stream(request(under.ask.length)));
      expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'length' });
      can('length');
    });

    it('sends a picture, a system message, a call with its result, and a level of effort', async () => {
      if (!under.sent) return void can('pictures', '-');
      const messages: ModelMessage[] = [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: 'look', pictures: [{ mediaType: 'image/png', data: PICTURE }] },
        { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'platform__list_files', arguments: '{}' }] },
        { role: 'tool', toolCallId: 'c1', content: 'a.txt' },
        { role: 'user', content: under.ask.text },
      ];
      await collect(under.provider.stream(request('', { messages, effort: 'high', maxOutputTokens: 5_000 })));
      const body = under.sent().at(-1) ?? '';
      for (const part of ['be brief', PICTURE, 'c1', 'a.txt']) expect(body).toContain(part);
      can('pictures');
      can(
        'effort',
        /"(reasoning_effort|effort|maxReasoningEffort)": ?"high"|budget_tokens/.test(body) ? 'yes' : 'not sent',
      );
    });

    it.each([
      [401, 'unauthorized', /refused our key.*Check/s],
      [400, 'refused', /refused the request/],
      [429, 'throttled', /no more requests for now/],
      [503, 'unavailable', /cannot answer now/],
    ] as const)('reports status %i as %s', async (status, kind, message) => {
      if (!under.ask.failing) return void can('errors', '-');
      const asked = collect(under.provider.stream(request(under.ask.failing(status))));
      const failure = await asked.then(String, (error: ModelProviderError) => error);
      expect(failure).toBeInstanceOf(ModelProviderError);
      expect(failure).toMatchObject({ kind, message: expect.stringMatching(message) });
      expect((failure as Error).message).not.toMatch(/127\.0\.0\.1|sk-very-secret/);
      can('errors');
    });

    it('ends at once when nobody waits any more, and never with a finish', async () => {
      const stop = new AbortController();
      const events: ModelEvent[] = [];
      const asked = (async () => {
        for await (const event of under.provider.stream(request(under.ask.text, { signal: stop.signal }))) {
          events.push(event);
          stop.abort();
        }
      })();
      await expect(asked).rejects.toThrow();
      expect(events.some(({ type }) => type === 'finish')).toBe(false);
      can('cancel');
    });
  });
}
