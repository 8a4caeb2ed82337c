/** `doctor`: what this machine, this checkout and this home have and lack, each with the remedy; it changes nothing. */
import { existsSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { checkDatabase } from '../../stack/database.ts';
import { checkNats } from '../../stack/external-nats.ts';
import { howToApply, notInForce, type Given } from '../../stack/given-settings.ts';
import { resolveHome, type Home } from '../../stack/home.ts';
import { isRoot, restrictions, systemProgram } from '../../stack/machine.ts';
import { readPlan, type Plan } from '../../stack/plan.ts';
import { pinnedPort } from '../../stack/prepare-stack.ts';
import { portIsFree } from '../../stack/ports.ts';
import { stackStatus } from '../../stack/stack-status.ts';
import { readState, supervisorIsAlive, type StackState } from '../../stack/state-file.ts';
import type { Command } from '../command.ts';
import { askDoctor, diagnosisLines } from '../diagnose-settings.ts';
import { askPods, askSandbox, describePods, type AskedSandbox } from '../describe-stack.ts';
import { requireRunning } from '../operator.ts';
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
    if (state && supervisorIsAlive(state)) return `${state.ports['gateway'] ?? 'none'}, ours`;
    const port = pinnedPort(environment['BRAVO_PORT']) ?? state?.ports['gateway'];
    if (port === undefined) return 'a free one is chosen at the first start';
    if (!(await portIsFree(port))) {
      throw new Error(`Port ${port} is used by another program: stop it, or choose another with BRAVO_PORT=<number> ./bravo up.`);
    }
    return `${port}, free`;
  });

/** Of a running stack the servers it runs with are looked at, whatever was given to this command. */
const serversInUse = (environment: Environment, plan: Plan | undefined): Environment => {
  if (plan === undefined) return environment;
  const { env } = plan.services.find(({ name }) => name === 'gateway')?.spawn ?? { env: {} as Record<string, string> };
  const ownNats = plan.servers.some(({ name }) => name === 'nats');
  return {
    BRAVO_DATABASE_URL: plan.embeddedPostgres ? undefined : plan.databaseUrl,
    BRAVO_NATS_URL: ownNats ? undefined : env['BRAVO_NATS_URL'],
    BRAVO_NATS_USER: env['BRAVO_NATS_USER'],
    BRAVO_NATS_PASSWORD: env['BRAVO_NATS_PASSWORD'],
  };
};

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

/** A machine that is known to lack something is limited; one that has it all and still runs nothing is broken. */
export const programsFinding = (asked: AskedSandbox, machineLacks: boolean): Finding => {
  const check = 'programs';
  if ('failure' in asked) return { check, state: 'broken', detail: `the sandbox did not answer (${asked.failure}); "./bravo logs sandbox-runner" says more` };
  if (!asked.available) return { check, state: machineLacks ? 'limited' : 'broken', detail: `cannot be run: ${asked.reason}` };
  const missing = ['python', 'bash', 'node'].filter((language) => !asked.languages.includes(language));
  const detail = `contained (${asked.languages.join(', ')})`;
  return missing.length === 0 ? { check, state: 'ok', detail } : { check, state: 'limited', detail: `${detail}; not ${missing.join(', ')}: "./bravo logs sandbox-runner" says why` };
};

const sandboxFinding = async (home: Home, state: StackState): Promise<Finding> =>
  programsFinding(await askSandbox({ home, state }), !isRoot() || systemProgram('crun') === undefined);

const podsFinding = async (home: Home, state: StackState): Promise<Finding> => {
  const asked = await askPods({ home, state });
  const detail = describePods(asked).replace(/^Agent pods: /, '');
  if ('failure' in asked) return { check: 'agent pods', state: 'broken', detail };
  return { check: 'agent pods', state: asked.isolation === 'contained' ? 'ok' : 'limited', detail };
};

const settingsFindings = (plan: Plan | undefined, given: Given): Finding[] => {
  const missed = plan === undefined ? [] : notInForce(plan, given);
  if (missed.length === 0) return [];
  return [{ check: 'settings', state: 'limited', detail: `not how the running stack was started: ${missed.join(', ')}; to have it: ${howToApply(missed)}` }];
};

export const command: Command = {
  summary: 'Check machine, ports, servers and processes; say what is limited and why; with --as, also the settings of a person. Exit code 1 when something is broken.',
  usage: 'doctor [--as NAME [--workspace SLUG] [--conversation ID]] [--json] [--insecure-pods]',
  run: async ({ args, environment }) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        json: { type: 'boolean', default: false },
        'insecure-pods': { type: 'boolean', default: false },
        as: { type: 'string' },
        workspace: { type: 'string' },
        conversation: { type: 'string' },
      },
    });
    const insecurePods = values['insecure-pods'];
    const home = resolveHome(environment);
    const state = readState(home);
    const running = state && supervisorIsAlive(state) && state.phase === 'running' ? state : undefined;
    const plan = running ? readPlan(home) : undefined;
    const findings: Finding[] = [
      { check: 'node', state: 'ok', detail: process.versions.node },
      { check: 'root', state: isRoot() ? 'ok' : 'limited', detail: isRoot() ? 'yes' : 'no' },
      { check: 'crun', state: systemProgram('crun') ? 'ok' : 'limited', detail: systemProgram('crun') ?? 'not installed' },
      { check: 'python3', state: systemProgram('python3') ? 'ok' : 'limited', detail: systemProgram('python3') ?? 'not installed' },
      await homeFinding(environment),
      await gatewayPortFinding(environment),
      ...(await serverFindings(serversInUse(environment, plan))),
      ...(await runningFindings(environment)),
      ...(running ? [await sandboxFinding(home, running), await podsFinding(home, running)] : []),
      ...settingsFindings(plan, { environment, insecurePods }),
    ];
    // What a running stack may not do was decided at its start.
    const limits = running ? running.restrictions : restrictions(insecurePods);
    const { as, workspace, conversation } = values;
    const settings =
      as === undefined
        ? undefined
        : await askDoctor(requireRunning(environment), environment['BRAVO_ENV'] === 'production', { as, workspace, conversation });
    const broken = findings.some(({ state: how }) => how === 'broken') || settings?.ok === false;
    if (values.json) {
      printJson({ ok: !broken, findings, restrictions: limits, ...(settings === undefined ? {} : { settings }) });
      return broken ? 1 : 0;
    }
    const marks = { ok: '✓', limited: '!', broken: '✗' } as const;
    for (const { check, state: how, detail } of findings) printLine(`${marks[how]} ${check.padEnd(20)} ${detail}`);
    for (const sentence of limits) printLine(`Note: ${sentence}`);
    if (settings === undefined) return broken ? 1 : 0;
    printLine(`${settings.ok ? marks.ok : marks.broken} settings of ${as}${conversation === undefined ? '' : ` in ${conversation}`}`);
    for (const line of diagnosisLines(settings)) printLine(line);
    return broken ? 1 : 0;
  },
};
