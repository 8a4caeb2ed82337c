/** Runs one bundle with the OCI runtime alone, so many times, inside the runner's own view of the filesystem; says the milliseconds of each as JSON. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const [runtime = 'crun', stateDirectory = '', bundle = '', times = '1'] = process.argv.slice(2);
const taken: number[] = [];
for (let n = 0; n < Number(times); n += 1) {
  const begun = performance.now();
  const args = [
    '--root',
    stateDirectory,
    '--cgroup-manager=disabled',
    'run',
    '-b',
    bundle,
    `bench-${process.pid}-${n}`,
  ];
  const [code] = (await once(spawn(runtime, args, { stdio: ['ignore', 'ignore', 'inherit'] }), 'exit')) as [number];
  taken.push(performance.now() - begun);
  if (code !== 0) throw new Error(`the bundle ended with ${code}`);
}
process.stdout.write(JSON.stringify(taken));
