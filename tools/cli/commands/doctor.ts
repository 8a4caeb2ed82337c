/** `doctor`: what this machine, this checkout and this home have and lack, each with the remedy; it changes nothing. */
import { existsSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { checkDatabase } from '../../stack/database.ts';
import { checkNats } from '../../stack/external-nats.ts';
import { resolveHome } from '../../stack/home.ts';
import { isRoot, restrictions, systemProgram } from '../../stack/machine.ts';
import { pinnedPort } from '../../stack/prepare-stack.ts';
import { portIsFree } from '../../stack/ports.ts';
import { stackStatus } from '../../stack/stack-status.ts';
import { readState, supervisorIsAlive } from '../../stack/state-file.ts';
import type { Command } from '../command.ts';
import { printJson, printLine } from '../output.ts';

interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'limited' | 'broken';
  readonly detail: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const attempt = async (check: string, work: () => Promise<string> | string): Promise<Finding> => {
  try {
    return { check, state: 'ok', detail: await work() };
  } catch (error) {
    return { check, state: 'broken', detail: (error as Error).message };
  }
};

const homeFinding = (environment: Environment): Promise<Finding> =>
  attempt('state directory', () => {
    const { root } = resolveHome(environment);
    if (!existsSync(root)) return `${root} (not made yet)`;
    const mode = statSync(root).mode & 0o777;
    if ((mode & 0o077) !== 0) throw new Error(`${root} is open to others (${mode.toString(8)}): chmod 700 ${root}`);
    return root;
  });

const gatewayPortFinding = (environment: Environment): Promise<Finding> =>
  attempt('gateway port', async () => {
    const state = readState(resolveHome(environment));
    const port = pinnedPort(environment['BRAVO_PORT']) ?? state?.ports['gateway'];
    if (port === undefined) return 'a free one is chosen at the first start';
    if (supervisorIsAlive(state)) return `${port}, ours`;
    if (!(await portIsFree(port))) {
      throw new Error(`Port ${port} is used by another program: stop it, or choose another with BRAVO_PORT=<number> ./bravo up.`);
    }
    return `${port}, free`;
  });

const serverFindings = async (environment: Environment): Promise<Finding[]> => {
  const database = environment['BRAVO_DATABASE_URL'];
  const nats = environment['BRAVO_NATS_URL'];
  return [
    await attempt('PostgreSQL', async () => {
      if (!database) return 'embedded';
      await checkDatabase(database);
      return 'external, reachable';
    }),
    await attempt('NATS', async () => {
      if (!nats) return 'our own';
      await checkNats(nats, environment['BRAVO_NATS_USER'] ?? '', environment['BRAVO_NATS_PASSWORD'] ?? '');
      return 'external, reachable, with JetStream';
    }),
  ];
};

const runningFindings = async (environment: Environment): Promise<Finding[]> => {
  const { gateway, processes } = await stackStatus(resolveHome(environment));
  if (gateway === null) return [{ check: 'running', state: 'ok', detail: 'no; "./bravo up" starts everything' }];
  return processes.map(({ name, pid, healthy }) =>
    healthy
      ? { check: name, state: 'ok', detail: `pid ${pid ?? ''}` }
      : { check: name, state: 'broken', detail: `${pid === null ? 'not running' : 'not ready'}; "./bravo logs ${name}" says why` },
  );
};

export const command: Command = {
  summary: 'Check machine, ports, servers and processes; say what is limited and why.',
  usage: 'doctor [--json] [--insecure-pods]',
  run: async ({ args, environment }) => {
    const { values } = parseArgs({
      args: [...args],
      options: { json: { type: 'boolean', default: false }, 'insecure-pods': { type: 'boolean', default: false } },
    });
    const findings: Finding[] = [
      { check: 'node', state: 'ok', detail: process.versions.node },
      { check: 'root', state: isRoot() ? 'ok' : 'limited', detail: isRoot() ? 'yes' : 'no' },
      { check: 'crun', state: systemProgram('crun') ? 'ok' : 'limited', detail: systemProgram('crun') ?? 'not installed' },
      { check: 'python3', state: systemProgram('python3') ? 'ok' : 'limited', detail: systemProgram('python3') ?? 'not installed' },
      await homeFinding(environment),
      await gatewayPortFinding(environment),
      ...(await serverFindings(environment)),
      ...(await runningFindings(environment)),
    ];
    const limits = restrictions(values['insecure-pods']);
    const broken = findings.some(({ state }) => state === 'broken');
    if (values.json) {
      printJson({ ok: !broken, findings, restrictions: limits });
      return broken ? 1 : 0;
    }
    const marks = { ok: '✓', limited: '!', broken: '✗' } as const;
    for (const { check, state, detail } of findings) printLine(`${marks[state]} ${check.padEnd(20)} ${detail}`);
    for (const sentence of limits) printLine(`Note: ${sentence}`);
    return broken ? 1 : 0;
  },
};
