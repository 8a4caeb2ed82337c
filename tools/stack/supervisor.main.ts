/** Entry of the detached supervisor process; started by `up` alone, with the home directory as its only argument. */
import { homeAt } from './home.ts';
import { readPlan } from './plan.ts';
import { RefusedConfiguration, Supervisor, type Progress } from './supervisor.ts';

const home = homeAt(process.argv[2] ?? '');
const plan = readPlan(home);
if (plan === undefined) throw new Error(`There is no plan in ${home.run}: the supervisor is started by "./bravo up".`);

const tell = (progress: Progress): void => {
  process.stdout.write(`${new Date().toISOString()} ${JSON.stringify(progress)}\n`);
  if (process.connected) process.send?.(progress);
};

const supervisor = new Supervisor(home, plan, tell);
let stopping: Promise<void> | undefined;
let ready = false;

const stop = (code: number): void => {
  stopping ??= supervisor.stop().then(() => process.exit(code));
};

process.on('SIGTERM', () => stop(0));
process.on('SIGINT', () => stop(0));
process.on('SIGHUP', () => {});
// Whoever started us went away before the stack was up: nobody knows of it, so nothing is left running.
process.on('disconnect', () => {
  if (!ready) stop(1);
});

try {
  await supervisor.start();
  ready = true;
  tell({ kind: 'ready' });
} catch (error) {
  // Stopped on request while starting: that is no failure of the stack.
  if (stopping === undefined) {
    stopping = supervisor.stop();
    await stopping;
    const exitCode = error instanceof RefusedConfiguration ? error.exitCode : 1;
    tell({ kind: 'failed', sentence: (error as Error).message, exitCode });
    process.exit(1);
  }
}
