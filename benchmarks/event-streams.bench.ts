/** What many open streams of one conversation cost one gateway process while turns run, beside a server that only writes the same events. */
import { homeAt } from '@bravo/tools/stack/home';
import { readState } from '@bravo/tools/stack/state-file';
import type { Benchmark } from './benchmark.ts';
import { startChildServer } from './child-server.ts';
import { readUntil, signIn } from './person.ts';
import { processorTime } from './processes.ts';

interface Crowd {
  /** Resolves when each listener has met the mark so many times. */
  heard(mark: string, times: number): Promise<void>;
  leave(): void;
}

const gather = async (size: number, open: (signal: AbortSignal) => Promise<Response>): Promise<Crowd> => {
  const gone = new AbortController();
  const texts: string[] = [];
  const listen = async (at: number): Promise<void> => {
    const response = await open(gone.signal);
    texts[at] = '';
    const decoder = new TextDecoder();
    void (async () => {
      for await (const chunk of response.body ?? []) texts[at] += decoder.decode(chunk, { stream: true });
    })().catch(() => undefined);
  };
  for (let begin = 0; begin < size; begin += 20) {
    await Promise.all(Array.from({ length: Math.min(20, size - begin) }, (_, offset) => listen(begin + offset)));
  }
  return {
    heard: async (mark, times) => {
      const deadline = Date.now() + 60_000;
      while (!texts.every((text) => text.split(mark).length > times)) {
        if (Date.now() > deadline) throw new Error(`not every listener heard ${mark} ${times} times`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    leave: () => gone.abort(),
  };
};

export const benchmark: Benchmark = {
  title: 'Open event streams: one gateway / a bare Node server that writes the same events',
  run: async ({ smoke, platform }) => {
    const [listeners, turns] = smoke ? [50, 2] : [500, 5];
    const stage = await platform();
    const gateway = readState(homeAt(stage.home))?.processes.find(({ name }) => name === 'gateway')?.pid;
    if (gateway === undefined) throw new Error('there is no gateway');
    const person = await signIn(stage, 'alice');
    const conversation = await person.beginConversation();
    await readUntil(await person.stream(conversation, 'POST', '/messages', { content: 'help' }), (text) =>
      text.includes('event: message_end'),
    );
    const crowd = await gather(listeners, (signal) => person.stream(conversation, 'GET', '/events', undefined, signal));
    const before = processorTime(gateway);
    const said: string[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      const answer = await person.stream(conversation, 'POST', '/messages', { content: 'help' });
      const text = await readUntil(answer, (heard) => heard.includes('event: message_end'));
      said.push(...text.split('\n\n').filter((event) => event.includes('event:')));
    }
    await crowd.heard('event: message_end', turns);
    const ours = processorTime(gateway) - before;
    crowd.leave();
    await person.endConversation(conversation);

    const bare = await startChildServer('bare-sse-server.ts');
    try {
      const bareCrowd = await gather(listeners, (signal) => fetch(bare.url, { signal }));
      const bareBefore = processorTime(bare.pid);
      for (const event of said) await fetch(bare.url, { method: 'POST', body: `${event}\n\n` });
      await bareCrowd.heard('event: message_end', turns);
      // The kernel's clock ticks every 10 ms: less than one tick is one tick.
      const reference = Math.max(10, processorTime(bare.pid) - bareBefore);
      bareCrowd.leave();
      return [
        {
          name: `processor time, ${listeners} streams, ${turns} turns, ${said.length} events`,
          unit: 'ms',
          ours,
          reference,
          goal: 1.5,
        },
      ];
    } finally {
      await bare.stop();
    }
  },
};
