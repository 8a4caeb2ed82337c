/** How a start that fails ends tells whoever started it whether another try may help. */
import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';

const fileUrl = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);

const startThatThrows = (thrown: string) => {
  const program = `
    import { ConfigError } from '@bravo/config';
    import { createLogger } from ${fileUrl('./logger.ts')};
    import { runProcess } from ${fileUrl('./run-process.ts')};
    await runProcess('x', createLogger('x', 'silent'), async () => { throw ${thrown}; });`;
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--conditions=source', '--input-type=module', '--eval', program],
    { encoding: 'utf8', env: {} },
  );
  return { status, stderr };
};

describe('a start that fails', () => {
  it.each([
    [
      'over its configuration',
      `new ConfigError('x', ['X is wrong.'])`,
      78,
      'x cannot start, its configuration has 1 mistake(s):\n- X is wrong.\n',
    ],
    ['over anything else', `new Error('The database is away.')`, 1, 'x cannot start: The database is away.\n'],
  ])('%s', (_what, thrown, status, stderr) => expect(startThatThrows(thrown)).toEqual({ status, stderr }), 30_000);
});
