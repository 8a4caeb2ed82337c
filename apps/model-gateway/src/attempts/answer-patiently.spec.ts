/** Retries, breaker, switch and silence, over real servers that fail on purpose. */
import { setTimeout as sleep } from 'node:timers/promises';
import { textOf } from '../providers/model-provider.contract.ts';
import type { ModelEvent, ModelRequest } from '../providers/model-provider.port.ts';
import {
  type Answer,
  begin,
  chunk,
  DONE,
  providerAt,
  type RawPeer,
  startRawPeer,
  USAGE,
} from '../providers/ai-sdk/raw-peer.fixture.ts';
import { type Answered, createAnswerPatiently, type Target } from './answer-patiently.ts';
import { createHealthBook } from './endpoint-health.ts';
import { PATIENCE, type Patience } from './patience.ts';

const peers: RawPeer[] = [];
afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.close();
});
const start = async (answer: Answer): Promise<RawPeer> => {
  const peer = await startRawPeer(answer);
  peers.push(peer);
  return peer;
};
const target = (peer: RawPeer, label: string, more: Partial<Target> = {}): Target => ({
  ...{
    id: label.toLowerCase(),
    label,
    provider: providerAt(peer.url),
    name: 'm',
    effort: 'unknown',
    endpoint: peer.url,
  },
  ...more,
});
const answerWith = (patience: Partial<Patience> = {}, pauses: number[] = []) => {
  const all = { ...PATIENCE, ...patience };
  return createAnswerPatiently({
    healthOf: createHealthBook(all),
    patience: all,
    pause: async (ms) => void pauses.push(ms),
    random: () => 0.5,
  });
};
const request = (more: Partial<ModelRequest> = {}): Omit<ModelRequest, 'model'> => ({
  messages: [{ role: 'user', content: 'hi' }],
  tools: [],
  signal: new AbortController().signal,
  ...more,
});
const collect = async (events: AsyncIterable<Answered>): Promise<Answered[]> => {
  const all: Answered[] = [];
  for await (const event of events) all.push(event);
  return all;
};
const saying =
  (words: string): Answer =>
  (response) =>
    void begin(response).end(chunk({ content: words }) + chunk({}, 'stop') + USAGE + DONE);
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(code, headers).end('{}');
/** Each answer once, the last for ever. */
const inTurn = (...answers: Answer[]): Answer => {
  let calls = 0;
  return (response, asked) => answers[Math.min(calls++, answers.length - 1)]?.(response, asked);
};
const said = (events: readonly Answered[]): string =>
  textOf(events.filter((event): event is ModelEvent => event.type !== 'switch'));

describe('an answer that fails before it begins', () => {
  it('is asked for again, with pauses that grow', async () => {
    const peer = await start(inTurn(status(503), status(502), saying('here')));
    const pauses: number[] = [];
    expect(said(await collect(answerWith({}, pauses)([target(peer, 'A')], request())))).toBe('here');
    expect(pauses).toEqual([200, 400]);
    expect(peer.asked).toHaveLength(3);
  });

  it('is asked for when the server wants to be, and not at all where that is too late', async () => {
    const pauses: number[] = [];
    const soon = await start(inTurn(status(429, { 'retry-after': '3' }), saying('here')));
    await collect(answerWith({}, pauses)([target(soon, 'A')], request()));
    expect(pauses).toEqual([3_200]);
    const late = await start(status(429, { 'retry-after': '300' }));
    await expect(collect(answerWith()([target(late, 'A')], request()))).rejects.toMatchObject({ kind: 'throttled' });
    expect(late.asked).toHaveLength(1);
  });

  it.each([400, 401, 403, 404])('with status %i is not asked for again, nor of another model', async (code) => {
    const [peer, other] = [await start(status(code)), await start(saying('no'))];
    await expect(collect(answerWith()([target(peer, 'A'), target(other, 'B')], request()))).rejects.toThrow();
    expect([peer.asked.length, other.asked.length]).toEqual([1, 0]);
  });

  it('is not retried beyond the budget of its endpoint', async () => {
    const peer = await start(status(503));
    const answer = answerWith({ breakAfter: 1_000 });
    for (let call = 0; call < 20; call += 1)
      await collect(answer([target(peer, 'A')], request())).catch(() => undefined);
    // Ten saved, a fifth for each call: far from the 60 that two retries of each call would be.
    expect(peer.asked.length).toBeLessThan(36);
  });
});

describe('an answer that has begun', () => {
  it('is never begun anew [model.no-short-answer]', async () => {
    const half: Answer = (response) => {
      begin(response).write(chunk({ content: 'half' }));
      setTimeout(() => response.destroy(), 20);
    };
    const [peer, other] = [await start(half), await start(saying('no'))];
    const events: Answered[] = [];
    const asked = (async () => {
      for await (const event of answerWith()([target(peer, 'A'), target(other, 'B')], request())) events.push(event);
    })();
    await expect(asked).rejects.toMatchObject({ kind: 'broken' });
    expect(said(events)).toBe('half');
    expect([peer.asked.length, other.asked.length]).toEqual([1, 0]);
  });

  it('that falls silent is an error', async () => {
    const peer = await start((response) => void begin(response).write(chunk({ content: 'half' })));
    const asked = collect(answerWith({ idleMs: 150 })([target(peer, 'A')], request()));
    await expect(asked).rejects.toMatchObject({ kind: 'broken', message: /nothing came for 0\.15 s/ });
  });

  it('is not silent while its reader is slow, nor while a long tool call arrives', async () => {
    const slow = await start((response) => {
      begin(response).write(chunk({ content: 'a' }) + chunk({ content: 'b' }));
      setTimeout(() => response.end(chunk({}, 'stop') + USAGE + DONE), 100);
    });
    for await (const _event of answerWith({ idleMs: 200 })([target(slow, 'A')], request())) await sleep(300);
    const long = await start((response) => {
      const piece = (text: string, more: object = {}) =>
        chunk({
          tool_calls: [{ index: 0, ...more, function: { arguments: text, ...('id' in more && { name: 'x' }) } }],
        });
      begin(response).write(piece('{"a":"', { id: 'c', type: 'function' }));
      let pieces = 0;
      const timer = setInterval(() => {
        if (++pieces < 8) return void response.write(piece('x'));
        clearInterval(timer);
        response.end(piece('"}') + chunk({}, 'tool_calls') + USAGE + DONE);
      }, 60);
    });
    const events = await collect(answerWith({ idleMs: 200, firstTokenMs: 200 })([target(long, 'A')], request()));
    expect(events[0]).toMatchObject({ type: 'tool_call', call: { arguments: '{"a":"xxxxxxx"}' } });
  });
});

describe('a provider that is down', () => {
  it('is followed by the second model, and the switch is said [model.switch-said]', async () => {
    const [peer, other] = [await start(status(503)), await start(saying('B here'))];
    const events = await collect(answerWith()([target(peer, 'Model A'), target(other, 'Model B')], request()));
    expect(events[0]).toMatchObject({
      type: 'switch',
      to: { label: 'Model B' },
      text: "Model A did not answer (The model's server cannot answer now (status 503)). Model B answers instead.",
    });
    expect(said(events)).toBe('B here');
  });

  it('that does not begin in time is given up', async () => {
    const [peer, other] = [await start(() => undefined), await start(saying('B here'))];
    const began = performance.now();
    const answer = answerWith({ firstTokenMs: 200, maxRetries: 0 });
    const events = await collect(answer([target(peer, 'A'), target(other, 'B')], request()));
    expect(events[0]).toMatchObject({
      type: 'switch',
      text: expect.stringMatching(/did not begin to answer within 0\.2 s/),
    });
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it('is left alone for a while and asked again after it', async () => {
    const peer = await start(inTurn(status(503), status(503), saying('back')));
    const answer = answerWith({ breakAfter: 2, breakMs: 300, maxRetries: 0 });
    for (let call = 0; call < 2; call += 1)
      await expect(collect(answer([target(peer, 'A')], request()))).rejects.toThrow();
    await expect(collect(answer([target(peer, 'A')], request()))).rejects.toThrow(/left alone/);
    expect(peer.asked).toHaveLength(2);
    await sleep(350);
    expect(said(await collect(answer([target(peer, 'A')], request())))).toBe('back');
  });

  it('for one tenant is not down for another', async () => {
    const peer = await start(inTurn(status(503), saying('fine')));
    const answer = answerWith({ breakAfter: 1, maxRetries: 0 });
    await expect(collect(answer([target(peer, 'A', { endpoint: 'one' })], request()))).rejects.toThrow();
    expect(said(await collect(answer([target(peer, 'A', { endpoint: 'two' })], request())))).toBe('fine');
  });
});

describe('a level of effort', () => {
  const refusing: Answer = (response, { body }) =>
    'reasoning_effort' in body
      ? void response
          .writeHead(400, { 'content-type': 'application/json' })
          .end('{"error":{"message":"unknown field"}}')
      : saying('here')(response, { path: '', headers: {}, body });

  it('that a model refuses is not sent to it again, and to another it is', async () => {
    const peer = await start(refusing);
    const answer = answerWith();
    const asked = () => collect(answer([target(peer, 'A')], request({ effort: 'high' })));
    expect(said(await asked())).toBe('here');
    expect(said(await asked())).toBe('here');
    expect(peer.asked.map(({ body }) => 'reasoning_effort' in body)).toEqual([true, false, false]);
    await collect(answer([target(peer, 'A', { name: 'other' })], request({ effort: 'high' })));
    expect(peer.asked.map(({ body }) => 'reasoning_effort' in body).slice(3)).toEqual([true, false]);
  });

  it('is not sent to a model that is said to read none, and nothing is sent where nobody chose', async () => {
    const peer = await start(saying('here'));
    const answer = answerWith();
    await collect(answer([target(peer, 'A', { effort: 'unread' })], request({ effort: 'high' })));
    await collect(answer([target(peer, 'A')], request()));
    expect(peer.asked.some(({ body }) => 'reasoning_effort' in body)).toBe(false);
  });
});

describe('whoever waits and goes away', () => {
  it('ends the attempt, the pause and the upstream', async () => {
    const stop = new AbortController();
    const gone = Promise.withResolvers<void>();
    const peer = await start((response) => {
      response.on('close', () => gone.resolve());
      stop.abort();
    });
    await expect(collect(answerWith()([target(peer, 'A')], request({ signal: stop.signal })))).rejects.toThrow();
    await gone.promise;
    expect(peer.asked).toHaveLength(1);
  });
});
