/** `token`: an API token of a seeded person for scripts; never in production. */
import { parseArgs } from 'node:util';
import { CommandError, type Command } from '../command.ts';
import { mintToken, requireRunning } from '../operator.ts';
import { printJson, printLine } from '../output.ts';

export const command: Command = {
  summary: 'Print an API token of a seeded person (alice, bob, carol).',
  usage: 'token --as NAME [--workspace SLUG] [--json]',
  run: async ({ args, environment }) => {
    const { values } = parseArgs({
      args: [...args],
      options: { as: { type: 'string' }, workspace: { type: 'string' }, json: { type: 'boolean', default: false } },
    });
    if (!values.as) throw new CommandError('Say whose token: ./bravo token --as alice', 2);
    const production = environment['BRAVO_ENV'] === 'production';
    const minted = await mintToken(requireRunning(environment), production, values.as, {
      workspace: values.workspace,
      ttlSeconds: 12 * 3600,
      label: './bravo token',
    });
    if (values.json) printJson({ token: minted.token, workspace: minted.workspace });
    else printLine(minted.token);
    return 0;
  },
};
