/** Starts the supervisor and follows it until everything is ready; a failure, or an interrupted start, leaves nothing running. */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkout, nodeProgram } from './checkout.ts';
import type { Home } from './home.ts';
import type { StartOptions } from './prepare-stack.ts';
import type { Progress } from './supervisor.ts';

const supervisorEntry = fileURLToPath(new URL('./supervisor.main.ts', import.meta.url));

/** The supervisor's own environment. Prisma's command line, which it runs, needs PATH and HOME; no BRAVO_ variable gets in. */
const supervisorEnvironment = (caller: StartOptions['environment']): Record<string, string> => ({
  PATH: `${path.join(checkout, 'node_modules', '.bin')}:${caller['PATH'] ?? '/usr/bin:/bin'}`,
  HOME: caller['HOME'] ?? '/',
  LANG: 'C.UTF-8',
  TZ: 'UTC',
});

/** What the supervisor could not do, and the exit code that says of which kind it is. */
export class StartFailed extends Error {
  readonly exitCode: number;
  constructor(sentence: string, exitCode: number) {
    super(sentence);
    this.exitCode = exitCode;
  }
}

export const startSupervisor = (home: Home, options: StartOptions): Promise<void> => {
  const log = openSync(path.join(home.logs, 'supervisor.log'), 'a', 0o600);
  const child = spawn(nodeProgram(), ['--conditions=source', supervisorEntry, home.root], {
    cwd: checkout,
    env: supervisorEnvironment(options.environment),
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  return new Promise((resolve, reject) => {
    const interrupted = (): void => {
      options.note('interrupted; stopping what was started');
      child.kill('SIGTERM');
    };
    process.on('SIGINT', interrupted);
    process.on('SIGTERM', interrupted);
    let failure: StartFailed | undefined;
    const settle = (finish: () => void): void => {
      process.off('SIGINT', interrupted);
      process.off('SIGTERM', interrupted);
      finish();
    };
    child.on('message', (message) => {
      const progress = message as Progress;
      if (progress.kind === 'step') options.step(progress.label);
      else if (progress.kind === 'note') options.note(progress.sentence);
      else if (progress.kind === 'failed') failure = new StartFailed(progress.sentence, progress.exitCode);
      else {
        child.disconnect();
        child.unref();
        settle(resolve);
      }
    });
    child.once('error', (error) => settle(() => reject(error)));
    child.once('exit', () =>
      settle(() =>
        reject(failure ?? new Error('The start was broken off. "./bravo logs supervisor" says how far it came.')),
      ),
    );
  });
};
