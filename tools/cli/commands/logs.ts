/** `logs`: the last lines of one process, or of each; `--follow` goes on as they come. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { resolveHome } from '../../stack/home.ts';
import { findService } from '../../stack/service-catalogue.ts';
import { CommandError, type Command } from '../command.ts';

export const command: Command = {
  summary: 'Show the newest log lines of one process or of all.',
  usage: 'logs [APP] [--lines N] [--follow]',
  run: async ({ args, environment }) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { lines: { type: 'string', default: '60' }, follow: { type: 'boolean', short: 'f', default: false } },
    });
    if (!/^\d+$/.test(values.lines)) throw new CommandError('--lines wants a number.', 2);
    const { logs } = resolveHome(environment);
    const known = existsSync(logs) ? readdirSync(logs).filter((name) => name.endsWith('.log')) : [];
    const [wanted] = positionals;
    const files = wanted === undefined ? known : known.filter((file) => file === `${findService(wanted)?.app ?? wanted}.log`);
    if (files.length === 0) {
      const names = known.map((file) => file.replace(/\.log$/, '')).join(', ');
      throw new CommandError(
        known.length === 0 ? 'There are no logs yet: "./bravo up" starts everything.' : `There is no log of "${wanted ?? ''}". There are: ${names}.`,
      );
    }
    const options = ['-n', values.lines, ...(values.follow ? ['-F'] : []), ...files.map((file) => path.join(logs, file))];
    return new Promise((resolve, reject) => {
      const tail = spawn('tail', options, { stdio: 'inherit' });
      tail.once('error', reject);
      tail.once('exit', (code) => resolve(code ?? 0));
    });
  },
};
