/** A turn seen from outside: streams, resumption at another gateway, clients that do not stream, repeats and losses. */
import { describe, expect, it } from '@jest/globals';
import { turnSubject } from '@bravo/events';
import { waitUntil } from '@bravo/testing';
import { useGateway } from './gateway.fixture.ts';
import { readEvents } from './read-events.fixture.ts';

const test = useGateway();

const bearer = (): Record<string, string> => ({ authorization: `Bearer ${test.tokens['alice']}` });
const api = (base = test.url): string => `${base}/api/v1/acme/bravo/conversations`;

const begin = async (): Promise<string> => {
  const response = await fetch(api(), {
    method: 'POST',
    headers: { ...bearer(), 'content-type': 'application/json' },
    body: '{}',
  });
  return ((await response.json()) as { id: string }).id;
};

const post = (content: string, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { ...bearer(), 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ content }),
});

const say = (cid: string, content: string, headers: Record<string, string> = {}, base?: string) =>
  readEvents(`${api(base)}/${cid}/messages`, post(content, headers));
const sayJson = async (cid: string, content: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${api()}/${cid}/messages`, post(content, { accept: 'application/json', ...headers }));
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each spec asserts the fields it uses
  return { status: response.status, body: (await response.json()) as any };
};
const follow = (cid: string, query = '', headers: Record<string, string> = {}, base?: string) =>
  readEvents(`${api(base)}/${cid}/events${query}`, { headers: { ...bearer(), ...headers } });

describe('a streamed turn', () => {
  it('comes in order with ids of the conversation and ends the stream with its one terminal event', async () => {
    const cid = await begin();
    test.standIns.onTurn = (conversation, turn) =>
      test.standIns.answer(conversation, turn, 'forty-two: \u2028\n\nevent: fake');
    const stream = await say(cid, 'hello', { accept: 'application/json;q=0.5, text/event-stream' });
    await stream.ended;
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
    expect(stream.headers.get('x-content-type-options')).toBe('nosniff');
    const names = stream.events.map(({ event }) => event);
    expect(names.at(0)).toBe('message_start');
    expect(names.at(-1)).toBe('message_end');
    expect(names.filter((name) => name === 'message_end' || name === 'error')).toHaveLength(1);
    expect(stream.events.map(({ data }) => data['delta'] ?? '').join('')).toBe('forty-two: \u2028\n\nevent: fake');
    for (const { id } of stream.events) expect(id).toMatch(new RegExp(`^${cid}:\\d+-[0-9a-z]+$`));
    expect(JSON.stringify(stream.events)).not.toContain('turn_id');
  });

  it('leaves out what belongs to the turn before it', async () => {
    const cid = await begin();
    test.standIns.onTurn = async (conversation, turn) => {
      await test.standIns.publish(conversation, { event: 'status', data: { state: 'queued' }, turn_id: turn.id });
      await test.standIns.publish(conversation, {
        event: 'tool_call_end',
        data: {
          id: 'tc_before',
          status: 'completed',
          output: '',
          duration_ms: 1,
          label: { integrity: 'trusted', confidentiality: 'public' },
          refs: [],
        },
      });
      await test.standIns.publish(conversation, {
        event: 'message_end',
        data: { id: 'msg_before', usage: null },
        turn_id: 'trn_before',
      });
      await test.standIns.publish(conversation, { event: 'status', data: { state: 'running' }, turn_id: turn.id });
      await test.standIns.publish(conversation, {
        event: 'tool_call_start',
        data: { id: 'tc_ours', tool: 'list_files', input: {}, why: '' },
      });
      await test.standIns.answer(conversation, turn, 'ok');
    };
    const stream = await say(cid, 'hello');
    await stream.ended;
    expect(stream.events.map(({ event, data }) => data['state'] ?? data['id'] ?? event)).toEqual([
      'queued',
      'running',
      'tc_ours',
      expect.stringMatching(/^msg_/),
      'content_delta',
      expect.stringMatching(/^msg_/),
    ]);
  });

  it('ends from the record when the stream is lost on the way, with what the stream had not told [turn.lost-stream]', async () => {
    const cid = await begin();
    test.standIns.onTurn = async (conversation, turn) => {
      const id = 'msg_answer';
      await test.standIns.publish(conversation, {
        event: 'message_start',
        data: { id, role: 'assistant' },
        turn_id: turn.id,
      });
      await test.standIns.publish(conversation, {
        event: 'content_delta',
        data: { delta: 'The first ', offset: 0 },
        turn_id: turn.id,
      });
      turn.assistant = { ...turn.user, id, role: 'assistant', content: 'The first half and the second.' };
      turn.status = 'completed';
    };
    const stream = await say(cid, 'hello');
    await stream.ended;
    expect(stream.events.map(({ event, data }) => [event, data['delta'], data['offset']])).toEqual([
      ['message_start', undefined, undefined],
      ['content_delta', 'The first ', 0],
      ['content_delta', 'half and the second.', 10],
      ['message_end', undefined, undefined],
    ]);
    expect(stream.events[3]?.id).toBe(stream.events[1]?.id);
    test.standIns.onTurn = async (_, turn) => {
      turn.status = 'cancelled';
    };
    const stopped = await say(cid, 'hello again');
    await stopped.ended;
    expect(stopped.events).toMatchObject([{ event: 'error', data: { code: 'turn_cancelled' } }]);
  });

  it('goes on when its client goes away', async () => {
    const cid = await begin();
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    test.standIns.onTurn = async (conversation, turn) => {
      await test.standIns.publish(conversation, { event: 'status', data: { state: 'running' }, turn_id: turn.id });
      await gate;
      await test.standIns.answer(conversation, turn, 'done anyway');
    };
    const stream = await say(cid, 'hello');
    await stream.until(({ event }) => event === 'status');
    const whole = await follow(cid, '?after=0');
    stream.close();
    release();
    await whole.until(({ event }) => event === 'message_end');
    whole.close();
  });
});

describe('following', () => {
  it('resumes at another gateway without a gap or a repeat, stays open across turns, and shows that it lives', async () => {
    const cid = await begin();
    test.standIns.onTurn = (conversation, turn) =>
      test.standIns.answer(conversation, turn, 'a longer answer in several pieces');
    const whole = await follow(cid);
    const first = await say(cid, 'one');
    await first.ended;
    const seen = first.events.slice(0, 3);
    const resumed = await follow(cid, '?after=0', { 'last-event-id': seen.at(-1)?.id ?? '' }, test.otherUrl);
    await (
      await say(cid, 'two', {}, test.otherUrl)
    ).ended;
    await waitUntil('both turns', () =>
      [whole, resumed].every(
        ({ events }) =>
          events.at(-1)?.event === 'message_end' && events.filter(({ event }) => event === 'message_end').length === 2,
      ),
    );
    const ids = [...seen, ...resumed.events].map(({ id }) => id);
    expect(ids).toEqual(whole.events.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    await waitUntil('a heartbeat', () => whole.comments.length > 1);
    whole.close();
    resumed.close();
  });

  it('refuses the id of another conversation and what is no id', async () => {
    const cid = await begin();
    for (const after of [`cnv_${'0'.repeat(26)}:1`, 'soon', `${cid}:-1`, `${cid}:1:2`]) {
      const response = await fetch(`${api()}/${cid}/events?after=${encodeURIComponent(after)}`, {
        headers: { ...bearer(), accept: 'text/event-stream' },
      });
      expect([response.status, ((await response.json()) as { field: string }).field]).toEqual([400, 'after']);
    }
    const wrongKind = await fetch(`${api()}/${cid}/events`, { headers: { ...bearer(), accept: 'application/json' } });
    expect(wrongKind.status).toBe(406);
  });

  it('says resync to an id of a stream that was lost, however far the new one has come [turn.resync]', async () => {
    const cid = await begin();
    test.standIns.onTurn = (conversation, turn) => test.standIns.answer(conversation, turn, 'a longer answer');
    const first = await say(cid, 'hello');
    await first.ended;
    const [seen] = first.events;
    const generation = seen?.id.split('-').at(-1) ?? '';
    const before = { 'last-event-id': (seen?.id ?? '').replace(generation, '1') };
    const resumed = await follow(cid, '', before);
    expect(await resumed.until(() => true)).toMatchObject({ event: 'resync', data: {}, id: '' });
    resumed.close();
    const bare = await follow(cid, '', { 'last-event-id': (seen?.id ?? '').replace(`-${generation}`, '') });
    expect(await bare.until(() => true)).toEqual(first.events[1]);
    bare.close();
  });

  it('says resync where the buffer begins after the asked position, and a fresh snapshot does not', async () => {
    const cid = await begin();
    const { last } = await test.bus.bounds('TURNS');
    const stream = await follow(cid, `?after=${last + 50}`);
    expect(await stream.until(() => true)).toMatchObject({ event: 'resync', data: {}, id: '' });
    stream.close();
    const detail = (await (await fetch(`${api()}/${cid}`, { headers: bearer() })).json()) as {
      stream_position: string;
    };
    test.standIns.onTurn = (conversation, turn) => test.standIns.answer(conversation, turn, 'x');
    const fresh = await follow(cid, `?after=${detail.stream_position}`);
    await (
      await say(cid, 'hello')
    ).ended;
    expect((await fresh.until(() => true)).event).toBe('message_start');
    fresh.close();
  });
});

describe('a client that does not stream', () => {
  it('gets the finished message, also when the stream is lost on the way', async () => {
    const cid = await begin();
    test.standIns.onTurn = (conversation, turn) => test.standIns.answer(conversation, turn, 'the real answer');
    expect(await sayJson(cid, 'hello')).toMatchObject({
      status: 200,
      body: {
        user_message: { role: 'user', content: 'hello' },
        assistant_message: { role: 'assistant', content: 'the real answer' },
        approvals: [{ tool_call_id: 'tc_1', approval_id: expect.stringMatching(/^apr_/), tool: 'execute_script' }],
      },
    });
    test.standIns.onTurn = async (_, turn) => {
      turn.assistant = { ...turn.user, role: 'assistant', content: 'found by looking' };
      turn.status = 'completed';
    };
    expect((await sayJson(cid, 'hello')).body).toMatchObject({ assistant_message: { content: 'found by looking' } });
  });

  it('gets a failed turn as a problem with the code of the failure', async () => {
    const cid = await begin();
    test.standIns.onTurn = async (conversation, turn) => {
      turn.assistant = {
        ...turn.user,
        role: 'assistant',
        content: 'half',
        status: 'interrupted',
        errorCode: 'turn_interrupted',
      };
      turn.status = 'interrupted';
      await test.standIns.publish(conversation, {
        event: 'error',
        data: { code: 'turn_interrupted', detail: 'x', retryable: true },
        turn_id: turn.id,
      });
    };
    expect(await sayJson(cid, 'hello')).toMatchObject({
      status: 503,
      body: { code: 'turn_interrupted', detail: expect.stringContaining('kept') },
    });
  });

  it('that repeats its key gets the same turn, from the record once the buffer has forgotten it', async () => {
    const cid = await begin();
    let turns = 0;
    test.standIns.onTurn = (conversation, turn) => {
      turns += 1;
      return test.standIns.answer(conversation, turn, 'only once');
    };
    const key = { 'idempotency-key': 'k-1' };
    const [first, second] = [await sayJson(cid, 'hello', key), await sayJson(cid, 'hello', key)];
    expect(second).toEqual(first);
    const streamed = await say(cid, 'hello', key);
    await streamed.ended;
    expect(streamed.events.map(({ event }) => event).at(-1)).toBe('message_end');
    expect(turns).toBe(1);
  });
});

describe('one conversation', () => {
  it("never shows another one's events", async () => {
    const [mine, other] = [await begin(), await begin()];
    const stream = await follow(mine);
    const conversation = test.standIns.conversations.get(other);
    await test.standIns.publish(conversation!, { event: 'content_delta', data: { delta: 'secret', offset: 0 } });
    await test.standIns.publish(test.standIns.conversations.get(mine)!, {
      event: 'content_delta',
      data: { delta: 'mine', offset: 0 },
    });
    await stream.until(({ data }) => data['delta'] === 'mine');
    expect(stream.events).toHaveLength(1);
    expect(await test.bus.lastSequence('TURNS', turnSubject(conversation!.workspaceId, other))).toBeGreaterThan(0);
    stream.close();
  });
});
