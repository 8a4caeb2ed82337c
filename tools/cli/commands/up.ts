/** `up`: sets everything up and starts it, or says that it runs already and changes nothing. */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { tryLock } from '../../stack/file-lock.ts';
import { ensureHome, resolveHome, type Home } from '../../stack/home.ts';
import { prepareStack } from '../../stack/prepare-stack.ts';
import { startSupervisor } from '../../stack/start-stack.ts';
import { readState, supervisorIsAlive, type StackState } from '../../stack/state-file.ts';
import { stopStack } from '../../stack/stop-stack.ts';
import { CommandError, type Command } from '../command.ts';
import { createReporter, printLine } from '../output.ts';

const sayWhatNext = async (home: Home, state: StackState, production: boolean): Promise<void> => {
  printLine(`Bravo runs at ${state.gateway_url}`);
  // Loaded now: it speaks gRPC through code that the build before this has generated.
  const { describeStack } = await import('../describe-stack.ts');
  for (const sentence of await describeStack({ home, state })) printLine(sentence);
  if (!production) printLine('Sign in as alice (admin of acme), bob (member of acme) or carol (admin of globex).');
  printLine('./bravo demo shows one message going all the way; ./bravo down stops everything.');
  for (const sentence of state.restrictions) printLine(`Note: ${sentence}`);
};

export const command: Command = {
  summary: 'Set up what is missing, start everything, print the address.',
  usage: 'up [--insecure-pods]',
  run: async ({ args, environment }) => {
    const { values } = parseArgs({
      args: [...args],
      options: { 'insecure-pods': { type: 'boolean', default: false } },
    });
    const home = resolveHome(environment);
    const production = environment['BRAVO_ENV'] === 'production';
    const before = readState(home);
    if (before && supervisorIsAlive(before) && before.phase === 'running') {
      printLine('Bravo is running already; nothing was changed.');
      await sayWhatNext(home, before, production);
      return 0;
    }
    ensureHome(home);
    const release = tryLock(path.join(home.run, 'up.lock'));
    if (release === undefined || (before && supervisorIsAlive(before))) {
      release?.();
      throw new CommandError(`Another start or stop of ${home.root} is at work: wait for it to end, then try again.`);
    }
    const reporter = createReporter();
    try {
      if (before && (await stopStack(home)).length > 0) {
        reporter.note('An earlier supervisor had died; what it left running was stopped.');
      }
      const options = { environment, insecurePods: values['insecure-pods'], step: reporter.step, note: reporter.note };
      await prepareStack(home, options);
      await startSupervisor(home, options);
    } catch (error) {
      reporter.failed();
      throw error;
    } finally {
      release();
    }
    reporter.done();
    const state = readState(home);
    if (state) await sayWhatNext(home, state, production);
    return 0;
  },
};
