/**
 * Starts sandbox-runner inside a process and mount namespace of its own, so that no program outlives it however it ends,
 * and none of its mounts is seen elsewhere. Where that cannot be had it starts plainly: files are served, programs are refused
 * or isolated run by run, as the machine allows.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** `setpriv` ties the namespace to this process, `--kill-child` everything in the namespace to its first process. */
const NAMESPACE = [
  ...['setpriv', '--pdeathsig', 'KILL'],
  ...['unshare', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', '--propagation', 'private'],
];

/**
 * The first process in the namespace: takes an extra version 2 cgroup hierarchy out of sight (crun refuses to start beside
 * one), passes a stop on, and reaps what the runner's containers leave.
 */
const FIRST_PROCESS = `
stop() { [ -n "$runner" ] && kill -TERM "$runner" 2>/dev/null; }
trap stop TERM INT HUP
if [ -d /sys/fs/cgroup/unified ] && [ "$(stat -f -c %T /sys/fs/cgroup/unified)" = cgroup2fs ]; then umount /sys/fs/cgroup/unified; fi
"$@" &
runner=$!
while :; do
  wait "$runner"
  code=$?
  kill -0 "$runner" 2>/dev/null || exit "$code"
done`;

const main = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './main.ts' : './main.js', import.meta.url));

const namespacesAreToBeHad = (): boolean => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const [command = '', ...args] = [...NAMESPACE, 'true'];
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
};

/** unshare itself keeps signals back from its child, so they go to the child directly. */
const firstProcessOf = (unshare: number): number | undefined => {
  const file = `/proc/${unshare}/task/${unshare}/children`;
  const child = existsSync(file) ? Number(readFileSync(file, 'utf8').trim().split(' ')[0]) : 0;
  return child > 0 ? child : undefined;
};

const launchInNamespace = (): void => {
  const [command = '', ...args] = [
    ...NAMESPACE,
    ...['/bin/sh', '-c', FIRST_PROCESS, 'sandbox-runner'],
    ...[process.execPath, ...process.execArgv, main],
  ];
  const child = spawn(command, args, { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      const target = child.pid === undefined ? undefined : firstProcessOf(child.pid);
      if (target === undefined) child.kill('SIGKILL');
      else process.kill(target, 'SIGTERM');
    });
  }
  child.on('error', (error) => {
    process.stderr.write(`sandbox-runner cannot start in a namespace of its own: ${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (signal === null ? 1 : constants.signals[signal])));
};

if (namespacesAreToBeHad()) launchInNamespace();
else await import(main);
