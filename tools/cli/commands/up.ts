/** `up`: sets everything up and starts it, or says that it runs already and changes nothing. */
import { parseArgs } from 'node:util';
import { ensureHome, resolveHome } from '../../stack/home.ts';
import { prepareStack } from '../../stack/prepare-stack.ts';
import { startSupervisor } from '../../stack/start-stack.ts';
import { readState, supervisorIsAlive, type StackState } from '../../stack/state-file.ts';
import { stopStack } from '../../stack/stop-stack.ts';
import { CommandError, type Command } from '../command.ts';
import { createReporter, printLine } from '../output.ts';

const sayWhatNext = (state: StackState, production: boolean): void => {
  printLine(`Bravo runs at ${state.gateway_url}`);
  if (!production) printLine('Sign in as alice (admin of acme), bob (member of acme) or carol (admin of globex).');
  printLine('./bravo demo shows one message going all the way; ./bravo down stops everything.');
  for (const sentence of state.restrictions) printLine(`Note: ${sentence}`);
};

export const command: Command = {
  summary: 'Set up what is missing, start everything, print the address.',
  usage: 'up [--insecure-pods]',
  run: async ({ args, environment }) => {
    const { values } = parseArgs({ args: [...args], options: { 'insecure-pods': { type: 'boolean', default: false } } });
    const home = resolveHome(environment);
    const production = environment['BRAVO_ENV'] === 'production';
    const before = readState(home);
    if (before && supervisorIsAlive(before)) {
      if (before.phase !== 'running') {
        throw new CommandError(`Another "./bravo up" of ${home.root} is at work (${before.phase}): wait for it, or "./bravo down".`);
      }
      printLine('Bravo is running already; nothing was changed.');
      sayWhatNext(before, production);
      return 0;
    }
    ensureHome(home);
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
    }
    reporter.done();
    const state = readState(home);
    if (state) sayWhatNext(state, production);
    return 0;
  },
};
