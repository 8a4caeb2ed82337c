/** `test`: everything that can fail, from a fresh checkout; the last line says how much passed and how much failed. */
import { parseArgs } from 'node:util';
import { runBuild } from '../../build/run-build.ts';
import { chaosPart } from '../../checks/chaos-part.ts';
import { clusterPart } from '../../checks/cluster-part.ts';
import { quickGuaranteesPart } from '../../checks/guarantees-part.ts';
import { journeysPart, unitPart } from '../../checks/jest-part.ts';
import { lintPart } from '../../checks/lint-part.ts';
import { runMutation } from '../../checks/mutation.ts';
import { runPart, total, type Part, type PartResult } from '../../checks/part.ts';
import { soakPart } from '../../checks/soak-part.ts';
import { typecheckPart } from '../../checks/typecheck-part.ts';
import { checkout } from '../../stack/checkout.ts';
import { CommandError, type Command } from '../command.ts';
import { printLine } from '../output.ts';
import { showGuarantees } from '../show-guarantees.ts';
import { showRuntimeContract } from '../show-runtime-contract.ts';

const buildPart: Part = {
  name: 'build',
  run: async () => {
    const done = await runBuild(checkout, { say: (step) => printLine(`build ${step}`) });
    if (done.length === 0) printLine('nothing to build');
    return { passed: 1, failed: 0, skipped: 0 };
  },
};

/** Always the same kills, so that a change is judged by itself: gateway, broker, NATS and Postgres, two of them in the middle of an effect. */
const EVERY_RUN = { kills: 4, seed: 58 };

/** The same programs and kills each time. */
const EVERY_SOAK = { programs: 40, seed: 7 };

const wholeNumber = (value: string | undefined, option: string): number | undefined => {
  if (value === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new CommandError(`${option} wants a whole number from 1 to 999999999.`, 2);
  return Number(value);
};

export const command: Command = {
  summary:
    'Build, lint, typecheck, unit and contract tests, journeys, sabotages, the soak of the sandbox (--soak N: N programs and nothing else), chaos (--chaos N: N kills under load and nothing else; --cluster: the Helm chart on a real cluster and nothing else, --small its install and one conversation; --guarantees: each promise, its tests and its sabotage, --run tries the sabotages; --mutation: the specs of the decision against a changed decision; --runtime-contract URL: the pod contract against a runtime of yours, "config" prints how it has to be configured).',
  usage: 'test [--unit|--journeys|--cluster [--small]|--soak N|--chaos N [--seed S]|--guarantees [--run [--only ID,…] [--wide]] [--json]|--mutation [--only AREA|FILE,…]|--runtime-contract URL]',
  run: async ({ args, environment }) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        unit: { type: 'boolean', default: false },
        journeys: { type: 'boolean', default: false },
        chaos: { type: 'string' },
        cluster: { type: 'boolean', default: false },
        small: { type: 'boolean', default: false },
        soak: { type: 'string' },
        seed: { type: 'string' },
        guarantees: { type: 'boolean', default: false },
        mutation: { type: 'boolean', default: false },
        run: { type: 'boolean', default: false },
        only: { type: 'string' },
        json: { type: 'boolean', default: false },
        wide: { type: 'boolean', default: false },
        'runtime-contract': { type: 'string' },
      },
    });
    if (values['runtime-contract'] !== undefined) return showRuntimeContract(values['runtime-contract'], environment);
    if (values.guarantees) {
      // What is copied to be broken is built already, so each sabotage builds only what it touches.
      if (values.run) await runBuild(checkout);
      return showGuarantees(values);
    }
    if (values.mutation && !values.run && !values.json && !values.wide) return runMutation(values.only);
    if (values.run || values.only !== undefined || values.json || values.wide) throw new CommandError('--run, --only, --json and --wide go with --guarantees, --only with --mutation too.', 2);
    const kills = wholeNumber(values.chaos, '--chaos');
    const programs = wholeNumber(values.soak, '--soak');
    const seed = wholeNumber(values.seed, '--seed');
    if (values.small && !values.cluster) throw new CommandError('--small goes with --cluster.', 2);
    const named = kills !== undefined || programs !== undefined || values.cluster;
    if (seed !== undefined && kills === undefined && programs === undefined) throw new CommandError('--seed goes with --chaos N or --soak N.', 2);
    const everything = !named && values.unit === values.journeys;
    const parts = [
      buildPart,
      ...(everything ? [lintPart, typecheckPart] : []),
      ...(everything || values.unit ? [unitPart] : []),
      ...(everything ? [quickGuaranteesPart] : []),
      ...(everything || values.journeys ? [journeysPart] : []),
      ...(everything || programs !== undefined
        ? [soakPart(programs ?? EVERY_SOAK.programs, seed ?? EVERY_SOAK.seed)]
        : []),
      ...(everything || kills !== undefined
        ? [kills === undefined ? chaosPart(EVERY_RUN.kills, EVERY_RUN.seed) : chaosPart(kills, seed)]
        : []),
      ...(values.cluster ? [clusterPart(values.small ? 'small' : 'whole', environment)] : []),
    ];
    const results: PartResult[] = [];
    for (const part of parts) results.push(await runPart(part));
    printLine();
    for (const { name, passed, failed, skipped } of results) {
      printLine(`${name.padEnd(24)} ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
    }
    const { passed, failed } = total(results);
    printLine(`${passed} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  },
};
