/** `up`: sets everything up and starts it, or says that it runs already and changes nothing. */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { tryLock } from '../../stack/file-lock.ts';
import { howToApply, notInForce, type Given } from '../../stack/given-settings.ts';
import { ensureHome, resolveHome, type Home } from '../../stack/home.ts';
import { readPlan } from '../../stack/plan.ts';
import { prepareStack } from '../../stack/prepare-stack.ts';
import { StartFailed, startSupervisor } from '../../stack/start-stack.ts';
import { readState, supervisorIsAlive, type StackState } from '../../stack/state-file.ts';
import { stopStack } from '../../stack/stop-stack.ts';
import { CommandError, type Command } from '../command.ts';
import { describeStack } from '../describe-stack.ts';
import { createReporter, printLine } from '../output.ts';

const sayWhatNext = async (home: Home, state: StackState, production: boolean): Promise<void> => {
  printLine(`Bravo runs at ${state.gateway_url}`);
  for (const sentence of await describeStack({ home, state })) printLine(sentence);
  if (!production) printLine('Sign in as alice (admin of acme), bob (member of acme) or carol (admin of globex).');
  printLine('./bravo demo shows one message going all the way; ./bravo down stops everything.');
  for (const sentence of state.restrictions) printLine(`Note: ${sentence}`);
};

const runningState = (home: Home): StackState | undefined => {
  const state = readState(home);
  return state && supervisorIsAlive(state) && state.phase === 'running' ? state : undefined;
};

/** Changes nothing, so what was asked for in vain is said, and is a failure. */
const sayThatItRuns = async (home: Home, state: StackState, given: Given): Promise<number> => {
  printLine('Bravo is running already; nothing was changed.');
  await sayWhatNext(home, state, given.environment['BRAVO_ENV'] === 'production');
  const plan = readPlan(home);
  const missed = plan === undefined ? [] : notInForce(plan, given);
  if (missed.length === 0) return 0;
  throw new CommandError(
    `Asked for, and not how the running stack was started: ${missed.join(', ')}. To have it: ${howToApply(missed)}`,
  );
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
    const given = { environment, insecurePods: values['insecure-pods'] };
    if (production && values['insecure-pods']) {
      throw new CommandError('In production agent pods are contained or refused: start without --insecure-pods. "./bravo doctor" says what contains them.');
    }
    const already = runningState(home);
    if (already) return sayThatItRuns(home, already, given);
    ensureHome(home);
    const release = tryLock(path.join(home.run, 'up.lock'));
    // Read with the lock in hand: what was read before it may be from before another start had ended.
    const before = readState(home);
    if (release === undefined || (before && supervisorIsAlive(before))) {
      release?.();
      const meanwhile = runningState(home);
      if (meanwhile) return sayThatItRuns(home, meanwhile, given);
      throw new CommandError(`Another start or stop of ${home.root} is at work: wait for it to end, then try again.`);
    }
    const reporter = createReporter();
    try {
      if (before && (await stopStack(home)).length > 0) {
        reporter.note('An earlier supervisor had died; what it left running was stopped.');
      }
      const options = { ...given, step: reporter.step, note: reporter.note };
      await prepareStack(home, options);
      await startSupervisor(home, options);
    } catch (error) {
      reporter.failed();
      if (error instanceof StartFailed) throw new CommandError(error.message, error.exitCode);
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
