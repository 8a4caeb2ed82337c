/** Programs in the sandbox, cold and warm, over the OCI runtime alone and over the bare interpreter; and one through the runner's own door. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { withSandbox, requireRunning } from '@bravo/tools/cli/operator';
import { ensureImages } from '@bravo/tools/images/build-images';
import { checkout, nodeProgram } from '@bravo/tools/stack/checkout';
import { reachableCopy } from '@bravo/tools/stack/traversable';
import { type Benchmark, type Measurement, quantile, timed } from './benchmark.ts';
import type { SandboxNumbers, SandboxOrder, Timings } from './sandbox-numbers.ts';

const run = promisify(execFile);

/** As the runner's launcher makes them, without the extra hierarchy that crun refuses to start beside. */
const NAMESPACES = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', '--propagation', 'private'];
const HIDE = 'if [ -d /sys/fs/cgroup/unified ]; then umount /sys/fs/cgroup/unified || :; fi; "$@"';

const GOALS = { cold: 1.2, warm: 0.5 } as const;

const rowsOf = (times: Timings): Measurement[] =>
  (['cold', 'warm'] as const).flatMap((how) =>
    ([0.5, 0.9, 0.99] as const).map((fraction): Measurement => ({
      name: `${times.language} ${how}, ${times.atOnce} at once, p${fraction * 100}`,
      unit: 'ms',
      ours: quantile(times[how], fraction),
      reference: quantile(times.raw, fraction),
      ...(fraction === 0.5 ? { goal: GOALS[how] } : {}),
    })),
  );

const bareOf = (times: Timings): Measurement => ({
  name: `${times.language} bare, ${times.atOnce} at once, p50`,
  unit: 'ms',
  ours: quantile(times.bare, 0.5),
  reference: quantile(times.raw, 0.5),
});

const measureSandbox = async (smoke: boolean): Promise<SandboxNumbers> => {
  const images = await ensureImages((sentence) => void process.stderr.write(`${sentence}\n`));
  const node = reachableCopy(nodeProgram(), 'node');
  const order: SandboxOrder = {
    settings: {
      runtime: 'crun',
      images: images?.directory ?? '',
      nodeProgram: node,
      seccompProfile: path.join(checkout, 'deploy', 'seccomp', 'bravo-sandbox.json'),
    },
    bare: { bash: ['/bin/bash', '-c', 'true'], python: ['/usr/bin/python3', '-c', 'pass'], node: [node, '-e', ';'] },
    samples: smoke ? 2 : 40,
    restMs: smoke ? 0 : 100,
    sequential: smoke ? 5 : 500,
    concurrent: smoke ? 5 : 200,
    volumeMib: smoke ? 16 : 64,
    floods: smoke ? 1 : 10,
  };
  const program = path.join(import.meta.dirname, 'sandbox-in-namespaces.ts');
  const words = [
    ...NAMESPACES,
    '/bin/sh',
    '-c',
    HIDE,
    'sh',
    nodeProgram(),
    '--conditions=source',
    program,
    JSON.stringify(order),
  ];
  const { stdout } = await run('unshare', words, { maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout) as SandboxNumbers;
};

const volumesOf = (numbers: SandboxNumbers): Measurement[] => [
  { name: 'in a row, each', unit: 'ms', ours: numbers.sequentialMs },
  { name: 'all at once, each', unit: 'ms', ours: numbers.concurrentMs },
  { name: 'files in', unit: 'MiB/s', ours: numbers.inMibPerSecond },
  { name: 'files out', unit: 'MiB/s', ours: numbers.outMibPerSecond },
  { name: "the runner's processor time, a flood of output", unit: 'ms', ours: numbers.floodCpuMs },
  ...numbers.waiting.map(({ what, count, bytes }) => ({
    name: `memory of a waiting ${what}`,
    unit: 'MiB',
    ours: bytes / count / 1024 / 1024,
  })),
];

export const benchmark: Benchmark = {
  title: 'A program: through the sandbox / `crun run` of the same bundle',
  run: async ({ smoke, platform }) => {
    const numbers = await measureSandbox(smoke);
    const stage = await platform();
    const through: number[] = [];
    await withSandbox(requireRunning({ BRAVO_HOME: stage.home }), async (sandbox) => {
      for (let n = 0; n < (smoke ? 3 : 40); n += 1) {
        await new Promise((resolve) => setTimeout(resolve, smoke ? 0 : 300));
        const id = `bench-${randomUUID()}`;
        const request = {
          executionId: id,
          conversationId: id,
          language: 'bash',
          code: 'true',
          files: [],
          env: {},
          limits: { timeoutSeconds: 0, memoryMb: 0, cpu: 0 },
        };
        const took = await timed(async () => {
          for await (const { event } of sandbox.runExecution(request)) {
            if (event?.$case === 'finished' && event.finished.exitCode !== 0)
              throw new Error(`it ended with ${event.finished.exitCode}`);
          }
        });
        through.push(took);
      }
    });
    const reference = numbers.timings.find(({ language, atOnce }) => language === 'bash' && atOnce === 1)?.raw ?? [];
    return [
      ...numbers.timings.flatMap((times) => [...rowsOf(times), bareOf(times)]),
      {
        name: 'bash warm, through gRPC with its record, p50',
        unit: 'ms',
        ours: quantile(through, 0.5),
        reference: quantile(reference, 0.5),
      },
      ...volumesOf(numbers),
    ];
  },
};
