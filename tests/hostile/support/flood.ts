/** One agent calls as fast as it can while a neighbour of another workspace works on. Tells what the flood got and how long the neighbour waited. */
import type { RestClient } from '../../journeys/support/rest-client.ts';
import type { Attempts } from './attempts.ts';
import { recordedRefusals } from './person-side.ts';
import { describeReply, type PodSeat } from './pod-seat.ts';

const FULL = 10_000;
// The full number takes a minute or more; a short run meets the limit of open calls, and that of requests by one long list.
const CALLS = Number(process.env['BRAVO_HOSTILE_CALLS'] ?? FULL / 10);
const AT_ONCE = 250;
/** How often as long as alone a neighbour may wait, in the middle and at worst; a busy machine makes everything slow, and both alike. */
const MEDIAN_TIMES = 10;
const WORST_TIMES = 40;
/** Below this nobody notices, however fast it is alone. */
const UNNOTICED_MS = 200;

type Kind = 'decided and recorded' | 'too many open calls' | 'too many requests' | 'something else';

const kindOf = (status: number, out: string): Kind => {
  if (status === 429) return 'too many requests';
  if (/no tool of that name/.test(out)) return 'decided and recorded';
  return /not answered yet/.test(out) ? 'too many open calls' : 'something else';
};

const callWithoutPause = async (seat: PodSeat): Promise<Map<Kind, number>> => {
  const got = new Map<Kind, number>();
  let sent = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (sent < CALLS) {
        sent += 1;
        const { status, out } = await seat.call('nothing', { number: sent });
        const kind = kindOf(status, out);
        got.set(kind, (got.get(kind) ?? 0) + 1);
      }
    }),
  );
  return got;
};

/** Milliseconds of each answer, shortest first. */
const workOn = async (neighbour: PodSeat, until: Promise<unknown>): Promise<number[]> => {
  let over = false;
  void until.finally(() => (over = true));
  const waits: number[] = [];
  do {
    const began = performance.now();
    const reply = await neighbour.call('list_files', {});
    if (reply.refused) throw new Error(`the neighbour was refused: ${reply.out}`);
    waits.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 100));
  } while (!over);
  return waits.sort((a, b) => a - b);
};

const median = (sorted: readonly number[]): number => sorted[sorted.length >> 1] ?? Infinity;

export const floodBroker = async (attempts: Attempts, seat: PodSeat, person: RestClient, neighbour: PodSeat): Promise<void> => {
  const alone = median(await workOn(neighbour, new Promise((resolve) => setTimeout(resolve, 1_500))));
  const [usual, worst] = [MEDIAN_TIMES, WORST_TIMES].map((times) => Math.round(times * Math.max(alone, UNNOTICED_MS / 2)));
  const began = Date.now();
  const calls = callWithoutPause(seat);
  const [got, waits] = await Promise.all([calls, workOn(neighbour, calls)]);
  const seconds = (Date.now() - began) / 1000;
  const told = [...got].map(([kind, count]) => `${count} ${kind}`).join(', ');
  await attempts.try(`call ${CALLS} times without a pause`, 'refusals only, most of them by the limits', () =>
    Promise.resolve({ got: `${told} in ${seconds.toFixed(1)} s`, held: !got.has('something else') && (got.get('decided and recorded') ?? 0) < CALLS / 2 && (CALLS < FULL || got.has('too many requests')) }),
  );
  await attempts.try('slow a neighbour of another workspace down by that', `its answers within ${worst} ms, half of them within ${usual} ms`, () => {
    const longest = waits.at(-1) ?? Infinity;
    const got = `${waits.length} answers, median ${median(waits).toFixed(0)} ms, worst ${longest.toFixed(0)} ms; alone ${alone.toFixed(0)} ms`;
    return Promise.resolve({ got, held: median(waits) < (usual ?? 0) && longest < (worst ?? 0) });
  });
  await attempts.try('leave a refused call out of the trail', 'a row for each that was decided', async () => {
    const decided = got.get('decided and recorded') ?? 0;
    const recorded = await recordedRefusals(person, seat.conversation, decided);
    return { got: `${recorded} recorded of ${decided}`, held: recorded === decided };
  });
  await attempts.try('go on while the limit is reached', 'a 429 that says how long', async () => {
    const message = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'nothing', arguments: {} } };
    const heard = await seat.send(seat.mcpUrl, Array.from({ length: 2_500 }, (_, id) => ({ ...message, id })));
    return { got: `${describeReply(heard)}; retry-after ${heard.headers.get('retry-after')}`, held: heard.status === 429 && Number(heard.headers.get('retry-after')) >= 1 };
  });
};

const EARLY = 100;

/** What a pod can ask of the model gateway that it should not get, and what must not break it. */
export const abuseModels = async (attempts: Attempts, seat: PodSeat): Promise<void> => {
  const ask = { messages: [{ role: 'user', content: 'what can you do?' }] };
  const refuse = (attempt: string, body: unknown, statuses: readonly number[] = [400, 404, 413]): Promise<void> =>
    attempts.try(attempt, `one of ${statuses.join(', ')}`, async () => {
      const heard = await seat.complete(body);
      return { got: describeReply(heard), held: statuses.includes(heard.status) };
    });
  for (const model of ['gpt-4o', 'demo\u0000', '../demo', 'openai-compatible/demo', 'http://127.0.0.1:1/v1', 'demo ', 'DEMO', '__proto__', '']) await refuse(`ask the model ${JSON.stringify(model)}`, { ...ask, model });
  await refuse('ask with a prompt of 40 MB', { messages: [{ role: 'user', content: 'x'.repeat(40_000_000) }] }, [413, 0]);
  await refuse('ask for 50 answers', { ...ask, n: 50 });
  await refuse('ask with half a body', '{"messages":[');
  await refuse('ask with __proto__', '{"__proto__":{"model":"x"},"messages":[{"role":"user","content":"help"}]}');
  await refuse('ask with 100,000 levels', `{"messages":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
  await refuse('ask nothing', { messages: [] });
  await refuse('show a picture of the inside', { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://127.0.0.1:1/' } }] }] });
  await attempts.try(`open ${EARLY} streams and leave them after the first byte`, 'all begun, and an honest answer right after', async () => {
    const begun = await Promise.all(
      Array.from({ length: EARLY }, async () => {
        const gone = new AbortController();
        const response = await fetch(`${seat.modelUrl}/chat/completions`, { method: 'POST', signal: gone.signal, headers: { authorization: `Bearer ${seat.token}`, 'content-type': 'application/json' }, body: JSON.stringify({ ...ask, stream: true }) });
        await response.body?.getReader().read();
        gone.abort();
        return response.status;
      }),
    );
    const began = Date.now();
    const heard = await seat.complete(ask);
    return { got: `${begun.filter((status) => status === 200).length} begun; then ${heard.status} after ${Date.now() - began} ms`, held: begun.every((status) => status === 200 || status === 429) && heard.status === 200 };
  });
};
