/** The command line as a script sees it: exact JSON shapes, exit codes, one sentence per mistake. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkout, nodeProgram } from '../stack/checkout.ts';
import { programExitCode } from './commands/sandbox.ts';
import { identify } from '../stack/process-identity.ts';

describe('./bravo without a running stack', () => {
  let home: string;
  let stranger: Server;
  let takenPort: number;
  beforeAll(async () => {
    home = mkdtempSync(path.join(tmpdir(), 'bravo-cli-'));
    stranger = createServer();
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    takenPort = (stranger.address() as { port: number }).port;
  });
  afterAll(async () => {
    await new Promise((resolve) => stranger.close(resolve));
    rmSync(home, { recursive: true });
  });

  const bravo = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
    const { status, stdout, stderr } = spawnSync(
      nodeProgram(),
      ['--conditions=source', path.join(checkout, 'tools', 'cli', 'main.ts'), ...args],
      { encoding: 'utf8', cwd: '/', env: { PATH: process.env['PATH'] ?? '', BRAVO_HOME: home, ...environment } },
    );
    return { status, stdout, stderr };
  };

  it('status --json says that nothing runs, in the shape of a running one', () => {
    const { status, stdout } = bravo(['status', '--json']);
    expect(JSON.parse(stdout)).toEqual({ gateway: null, processes: [] });
    expect(status).toBe(1);
  });

  it('down has nothing to do and says so', () => {
    expect(bravo(['down'])).toMatchObject({ status: 0, stdout: 'Nothing was running.\n' });
  });

  it.each([['token', '--as', 'alice'], ['attach', '--as', 'alice'], ['explain', '--as', 'alice', '--tool', 'read_file'], ['demo'], ['sandbox', 'exec', 'bash', '/etc/hostname']])(
    '%s says how to start',
    (...args) => {
      const { status, stderr, stdout } = bravo(args);
      expect(stderr).toMatch(/^bravo: Bravo is not running from .*: start it with "\.\/bravo up"\.\n$/);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    },
  );

  it.each([
    [['nonsense'], 2, /There is no command "nonsense"/],
    [['up', '--bogus'], 2, /^bravo: Unknown option '--bogus'\. "\.\/bravo up --help" says what there is\.\n$/],
    [['logs', '--json'], 2, /^bravo: Unknown option '--json'\. "\.\/bravo logs --help" says what there is\.\n$/],
    [['token'], 2, /Say whose token/],
    [['explain'], 2, /Say whose call of which tool/],
    [['explain', '--as', 'alice', '--tool', 'read_file', '--input', '[1]'], 2, /one JSON object/],
    [['sandbox', 'exec', 'cobol', 'x'], 2, /"cobol" is no language/],
    [['logs', 'nobody'], 1, /There are no logs yet/],
  ] as const)('%j is one sentence', (args, code, sentence) => {
    const { status, stderr } = bravo(args);
    expect(stderr).toMatch(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(status).toBe(code);
  });

  it.each([
    ['a database nobody serves', { BRAVO_DATABASE_URL: 'postgresql://u:hush@127.0.0.1:1/db' }, /The database at 127\.0\.0\.1:1\/db cannot be used: nothing listens there: .*unset it/],
    ['a database URL that is none', { BRAVO_DATABASE_URL: 'mysql://u:hush@h/db' }, /BRAVO_DATABASE_URL is no PostgreSQL URL/],
    ['a NATS nobody serves', { BRAVO_NATS_URL: 'nats://127.0.0.1:1' }, /The NATS server at 127\.0\.0\.1:1 cannot be used: nothing listens there\. Correct BRAVO_NATS_URL/],
    ['a port that is no port', { BRAVO_PORT: 'eighty' }, /BRAVO_PORT is "eighty"/],
  ] as const)('up with %s refuses, leaves nothing running and shows no password', (_name, environment, sentence) => {
    const { status, stderr } = bravo(['up'], environment);
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toContain('hush');
    expect(status).toBe(1);
    expect(readdirSync(home)).not.toContain('state.json');
  });

  it.each([
    ['a log level that is none', { BRAVO_LOG_LEVEL: 'loud' }, /BRAVO_LOG_LEVEL is not usable \(it is "loud"\)/],
    ['an environment that is none', { BRAVO_ENV: 'staging' }, /BRAVO_ENV is not usable \(it is "staging"\)/],
  ])('up with %s says so at once, before anything is built', (_name, environment, sentence) => {
    const { status, stderr } = bravo(['up'], environment);
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toContain('build');
    expect(status).toBe(78);
  });

  it('up while another start is at work says so and changes nothing', () => {
    mkdirSync(path.join(home, 'run'), { recursive: true });
    const lock = path.join(home, 'run', 'up.lock');
    // This test is the other start.
    writeFileSync(lock, JSON.stringify(identify(process.pid)));
    const { status, stderr } = bravo(['up']);
    rmSync(lock);
    expect(stderr).toMatch(/^bravo: Another start or stop of .* is at work: wait for it to end, then try again\.\n$/);
    expect(status).toBe(1);
    expect(readdirSync(home)).not.toContain('state.json');
  });

  it.each(['help', 'doctor'])('%s ends quietly when its reader has seen enough', (name) => {
    const command = `"${nodeProgram()}" --conditions=source "${path.join(checkout, 'tools', 'cli', 'main.ts')}" ${name} | head -c 1`;
    const { stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '', BRAVO_HOME: home } });
    expect(stderr).toBe('');
  });

  it('up with a pinned port that is taken names the port and the remedy', () => {
    const { status, stderr } = bravo(['up'], { BRAVO_PORT: String(takenPort) });
    expect(stderr).toContain(`Port ${takenPort} (gateway) is used by another program`);
    expect(stderr).toContain('BRAVO_PORT=<number> ./bravo up');
    expect(status).toBe(1);
  });

  it('help names every command', () => {
    const { status, stdout } = bravo(['help']);
    for (const name of ['up', 'down', 'status', 'logs', 'test', 'demo', 'doctor', 'token', 'attach', 'sandbox', 'bench']) {
      expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
    }
    expect(status).toBe(0);
  });
});

describe('the exit code of sandbox exec', () => {
  it.each([
    [{ exitCode: 0, timedOut: false, oomKilled: false }, 0],
    [{ exitCode: 3, timedOut: false, oomKilled: false }, 3],
    [{ exitCode: 137, timedOut: true, oomKilled: false }, 124],
    [{ exitCode: 1, timedOut: false, oomKilled: true }, 137],
  ])('of %j is %i', (finished, code) => expect(programExitCode(finished)).toBe(code));
});
