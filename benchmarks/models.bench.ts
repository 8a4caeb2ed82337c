/** What the model gateway adds to a model server: to the first word, to the pace of an answer, to the processor under 500 streams, and what a reservation costs under contention. */
import { requireRunning, withIdentity } from '@bravo/tools/cli/operator';
import { homeAt } from '@bravo/tools/stack/home';
import { readState } from '@bravo/tools/stack/state-file';
import type { Platform } from '@bravo/testing';
import { type Benchmark, inTurn, quantile } from './benchmark.ts';
import { type ChildServer, startChildServer } from './child-server.ts';
import { signIn } from './person.ts';
import { processorTime } from './processes.ts';

const BODY = { model: 'default', stream: true, messages: [{ role: 'user', content: 'say some words' }] };
/** Calls of one conversation at once that every configuration takes. */
const OF_ONE_CONVERSATION = 50;

interface Seat {
  readonly url: string;
  readonly token: string;
}

const askThrough = async ({ url, token }: Seat): Promise<{ first: number; whole: number }> => {
  const begun = performance.now();
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(BODY),
  });
  if (!response.ok) throw new Error(`the answer was ${response.status}: ${await response.text()}`);
  let first = 0;
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (first === 0 && text.includes('"content":"word')) first = performance.now() - begun;
  }
  if (!text.includes('[DONE]')) throw new Error('the answer was cut off');
  return { first, whole: performance.now() - begun };
};

/** Seats of conversations whose model is the server at `baseURL`. */
const seatsAt = async (stage: Platform, baseURL: string, count: number): Promise<Seat[]> => {
  await withIdentity(requireRunning({ BRAVO_HOME: stage.home }), async (identity) => {
    const document = { provider: { bench: { options: { baseURL }, models: { bench: {} } } } };
    await identity.putSettings({ workspaceId: '', layer: 'platform', userId: '', documentJson: JSON.stringify(document), ifMatch: 0 });
  });
  const { token, workspace } = await stage.token('alice');
  const seats: Seat[] = [];
  for (let seat = 0; seat < count; seat += 1) {
    const attached = await stage.attach('alice');
    const choose = () =>
      fetch(`${stage.gatewayUrl}/api/v1/${workspace}/bravo/conversations/${attached.conversation}/model`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'bench/bench' }),
      });
    // Settings are read again within a second of their change.
    for (let attempt = 0; (await choose()).status !== 200; attempt += 1) {
      if (attempt === 20) throw new Error('the model of the benchmark could not be chosen');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    seats.push({ url: attached.model_url, token: attached.token });
  }
  return seats;
};

const crowdOf = async (seats: readonly Seat[], streams: number): Promise<void> => {
  await Promise.all(Array.from({ length: streams }, (_, n) => askThrough(seats[n % seats.length] ?? { url: '', token: '' })));
};

const pidOf = (stage: Platform): number => {
  const found = readState(homeAt(stage.home))?.processes.find(({ name }) => name === 'model-gateway')?.pid;
  if (found === undefined) throw new Error('there is no model gateway');
  return found;
};

export const benchmark: Benchmark = {
  title: 'The model gateway / the model server asked directly, and a bare proxy',
  run: async ({ smoke, platform }) => {
    const streams = smoke ? 50 : 500;
    const stage = await platform();
    const servers: ChildServer[] = [];
    const start = async (...args: string[]): Promise<ChildServer> => {
      const server = await startChildServer('bare-model-server.ts', ...args);
      servers.push(server);
      return server;
    };
    try {
      // Signing in is what makes the workspace ready for the first attached agent.
      await signIn(stage, 'alice');
      const steady = await start('', smoke ? '20' : '100', '4');
      const [seat] = await seatsAt(stage, `${steady.url}/v1`, 1);
      if (!seat) throw new Error('there is no seat');
      const direct: Seat = { url: `${steady.url}/v1`, token: 'none' };
      const seen = { ours: [] as number[], reference: [] as number[] };
      const measure = (kind: 'ours' | 'reference', at: Seat) => async () => {
        const { first, whole } = await askThrough(at);
        seen[kind].push(whole - first);
        return first;
      };
      await inTurn(smoke ? 1 : 3, measure('ours', seat), measure('reference', direct));
      seen.ours.length = seen.reference.length = 0;
      const first = await inTurn(smoke ? 3 : 40, measure('ours', seat), measure('reference', direct));

      const slow = await start('', smoke ? '20' : '50', '40');
      const proxy = await start(slow.url);
      const seats = await seatsAt(stage, `${slow.url}/v1`, Math.ceil(streams / OF_ONE_CONVERSATION));
      const pid = pidOf(stage);
      const before = processorTime(pid);
      await crowdOf(seats, streams);
      const ours = processorTime(pid) - before;
      const proxyBefore = processorTime(proxy.pid);
      await crowdOf([{ url: `${proxy.url}/v1`, token: 'none' }], streams);
      const reference = Math.max(10, processorTime(proxy.pid) - proxyBefore);
      return [
        {
          ...{ name: 'first word, p50', unit: 'ms', compared: 'difference' as const, goal: 10 },
          ...{ ours: quantile(first.ours, 0.5), reference: quantile(first.reference, 0.5) },
        },
        {
          ...{ name: 'from the first word to the last, p50 (the goal is a pace of 0.98)', unit: 'ms', goal: 1 / 0.98 },
          ...{ ours: quantile(seen.ours, 0.5), reference: quantile(seen.reference, 0.5) },
        },
        { name: `processor time, ${streams} answers at once`, unit: 'ms', ours, reference },
      ];
    } finally {
      for (const server of servers) await server.stop();
    }
  },
};
