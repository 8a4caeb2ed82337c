/** `down`: stops exactly what `up` started and keeps all data. */
import { parseArgs } from 'node:util';
import { resolveHome } from '../../stack/home.ts';
import { stopStack } from '../../stack/stop-stack.ts';
import type { Command } from '../command.ts';
import { printLine } from '../output.ts';

export const command: Command = {
  summary: 'Stop exactly what was started; data stays.',
  usage: 'down',
  run: async ({ args, environment }) => {
    parseArgs({ args: [...args], options: {} });
    const stopped = await stopStack(resolveHome(environment));
    printLine(stopped.length === 0 ? 'Nothing was running.' : `Stopped ${stopped.join(', ')}.`);
    return 0;
  },
};
