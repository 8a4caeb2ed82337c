/** What each process of an idle platform holds, beside a Node process that only listens. */
import { homeAt } from '@bravo/tools/stack/home';
import { readState } from '@bravo/tools/stack/state-file';
import type { Benchmark } from './benchmark.ts';
import { startChildServer } from './child-server.ts';
import { familyOf, memoryOf } from './processes.ts';

const sum = (pids: readonly number[]): number =>
  pids.reduce((total, pid) => {
    try {
      return total + memoryOf(pid);
    } catch {
      // It ended while it was looked at.
      return total;
    }
  }, 0);

export const benchmark: Benchmark = {
  title: 'Memory of each process when idle / a Node process that only listens',
  run: async ({ smoke, platform }) => {
    const stage = await platform();
    await new Promise((resolve) => setTimeout(resolve, smoke ? 500 : 10_000));
    const bare = await startChildServer('bare-sse-server.ts');
    try {
      const reference = memoryOf(bare.pid);
      const pods = new Set(await stage.podPids());
      const processes = readState(homeAt(stage.home))?.processes ?? [];
      // A pod is a child of the orchestrator and is counted by itself.
      const rows = processes.map(({ name, pid }) => ({
        name,
        unit: 'MiB',
        ours: sum(familyOf(pid).filter((member) => !pods.has(member))),
        reference,
      }));
      const pod = [...pods]
        .map((pid) => ({ name: 'agent pod (warm)', unit: 'MiB', ours: sum([pid]), reference }))
        .slice(0, 1);
      const all = {
        name: 'everything',
        unit: 'MiB',
        ours: rows.reduce((total, { ours }) => total + ours, 0) + sum([...pods]),
      };
      return [...rows, ...pod, all];
    } finally {
      await bare.stop();
    }
  },
};
