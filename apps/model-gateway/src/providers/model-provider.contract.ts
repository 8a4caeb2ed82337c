/** What every model provider must do, run against a real one; an adapter is finished when this passes. */
import { ModelProviderError } from './model-provider.port.ts';
import type { ModelEvent, ModelProvider, ModelRequest } from './model-provider.port.ts';

export interface ProviderUnderTest {
  readonly provider: ModelProvider;
  /** Whether it counts the tokens of this text; one that does not says null and never zero. */
  readonly reportsUsage: boolean;
  /** Questions that make this provider answer in the way named. */
  readonly ask: {
    /** Text only, in several pieces. */
    readonly text: readonly ModelRequest['messages'][number][];
    /** Exactly one call of the tool `platform__list_files`. */
    readonly call: readonly ModelRequest['messages'][number][];
  };
  readonly close?: () => Promise<void>;
}

export const CONTRACT_TOOLS: ModelRequest['tools'] = [
  {
    name: 'platform__list_files',
    description: 'Lists files.',
    parameters: { type: 'object', properties: { directory: { type: 'string' } }, additionalProperties: false },
  },
];

export const collect = async (events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> => {
  const all: ModelEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
};

export function modelProviderContract(name: string, start: () => Promise<ProviderUnderTest>): void {
  describe(`model provider: ${name}`, () => {
    let under: ProviderUnderTest;
    beforeAll(async () => void (under = await start()));
    afterAll(async () => under.close?.());

    const request = (messages: ModelRequest['messages'], signal = new AbortController().signal): ModelRequest => ({
      model: under.provider.models[0].id,
      messages,
      tools: CONTRACT_TOOLS,
      signal,
    });

    it('lists at least one model, and every id once', () => {
      const ids = under.provider.models.map(({ id }) => id);
      expect(ids.length).toBeGreaterThan(0);
      expect(new Set(ids).size).toBe(ids.length);
    });

    it('streams text in pieces and finishes exactly once, last, with usage where it knows it', async () => {
      const events = await collect(under.provider.stream(request(under.ask.text)));
      expect(events.filter(({ type }) => type === 'text').length).toBeGreaterThan(1);
      expect(events.filter(({ type }) => type === 'finish')).toHaveLength(1);
      expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
      const end = events.at(-1);
      if (end?.type !== 'finish') throw new Error('no end');
      for (const count of [end.usage.inputTokens, end.usage.outputTokens])
        expect(under.reportsUsage ? (count ?? 0) > 0 : count === null).toBe(true);
    });

    it('gives a tool call whole, with arguments that are a JSON object', async () => {
      const events = await collect(under.provider.stream(request(under.ask.call)));
      const calls = events.flatMap((event) => (event.type === 'tool_call' ? [event.call] : []));
      expect(calls).toHaveLength(1);
      expect(calls[0]?.name).toBe('platform__list_files');
      expect(calls[0]?.id).not.toBe('');
      expect(JSON.parse(calls[0]?.arguments ?? '')).toEqual(expect.any(Object));
      expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'tool_calls' });
    });

    it('refuses a model it does not list', async () => {
      const asked = collect(under.provider.stream({ ...request(under.ask.text), model: 'nobody/has-this' }));
      await expect(asked).rejects.toBeInstanceOf(ModelProviderError);
    });

    it('ends at once when nobody waits any more, and never with a finish', async () => {
      const stop = new AbortController();
      const events: ModelEvent[] = [];
      const asked = (async () => {
        for await (const event of under.provider.stream(request(under.ask.text, stop.signal))) {
          events.push(event);
          stop.abort();
        }
      })();
      await expect(asked).rejects.toThrow();
      expect(events.some(({ type }) => type === 'finish')).toBe(false);
    });
  });
}
