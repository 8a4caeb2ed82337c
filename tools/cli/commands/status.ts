/** `status`: what runs, where, and whether it is well; exits with 0 only when everything is. */
import { parseArgs } from 'node:util';
import { resolveHome } from '../../stack/home.ts';
import { stackStatus } from '../../stack/stack-status.ts';
import type { Command } from '../command.ts';
import { printJson, printLine } from '../output.ts';

export const command: Command = {
  summary: 'Show every process, its address and its health.',
  usage: 'status [--json]',
  run: async ({ args, environment }) => {
    const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } });
    const status = await stackStatus(resolveHome(environment));
    const well = status.processes.length > 0 && status.processes.every(({ healthy }) => healthy);
    if (values.json) {
      printJson(status);
      return well ? 0 : 1;
    }
    if (status.gateway === null) {
      printLine('Nothing is running. "./bravo up" starts everything.');
      return 1;
    }
    printLine(`Bravo at ${status.gateway.url}`);
    for (const { name, pid, url, healthy } of status.processes) {
      printLine(`${healthy ? '✓' : '✗'} ${name.padEnd(20)} ${pid === null ? 'not running' : `pid ${pid}`.padEnd(12)} ${url}`);
    }
    return well ? 0 : 1;
  },
};
