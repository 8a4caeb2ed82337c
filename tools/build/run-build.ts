/** Builds what changed since the last build and nothing else; two builds of one checkout never run at once. */
import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { waitForLock } from '../stack/file-lock.ts';
import { buildStages, type BuildStep } from './build-steps.ts';
import { inputDigest } from './input-digest.ts';

const atOnce = 3;

const cacheDirectory = (root: string): string => path.join(root, 'node_modules', '.cache', 'bravo');

const readStamps = (file: string): Record<string, string> => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  } catch {
    // No stamps, or ones cut off by a crash: everything is built again.
    return {};
  }
};

const runLimited = async (steps: readonly BuildStep[], work: (step: BuildStep) => Promise<void>): Promise<void> => {
  const queue = [...steps];
  const worker = async (): Promise<void> => {
    for (let step = queue.shift(); step; step = queue.shift()) await work(step);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
};

const isWritable = (root: string): boolean => {
  try {
    accessSync(root, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

const isFresh = (root: string, step: BuildStep, stamps: Readonly<Record<string, string>>, digest: string): boolean =>
  step.outputs.every((output) => existsSync(path.join(root, output))) && stamps[step.name] === digest;

const isBuilt = (root: string, stamps: Readonly<Record<string, string>>): boolean =>
  buildStages(root).every((stage) =>
    stage.every((step) => isFresh(root, step, stamps, inputDigest(root, step.inputs))),
  );

/** Names of the steps that had to be done. `force` builds everything again. */
export const runBuild = async (
  root: string,
  { say = () => {}, force = false }: { say?: (stepName: string) => void; force?: boolean } = {},
): Promise<string[]> => {
  const directory = cacheDirectory(root);
  const stampFile = path.join(directory, 'build.json');
  if (!isWritable(root)) {
    // Somebody else's checkout may be run as it is; only building it needs its owner.
    if (!force && isBuilt(root, readStamps(stampFile))) return [];
    throw new Error(
      `The checkout ${root} is not built as it stands, and this user cannot write to it: run this as its owner, or make a clone of your own.`,
    );
  }
  mkdirSync(directory, { recursive: true });
  const release = await waitForLock(path.join(directory, 'build.lock'));
  const done: string[] = [];
  try {
    const stamps = force ? {} : readStamps(stampFile);
    const save = (): void => {
      writeFileSync(`${stampFile}.partial`, JSON.stringify(stamps, null, 2));
      renameSync(`${stampFile}.partial`, stampFile);
    };
    for (const stage of buildStages(root)) {
      await runLimited(stage, async (step) => {
        const digest = inputDigest(root, step.inputs);
        if (isFresh(root, step, stamps, digest)) return;
        say(step.name);
        delete stamps[step.name];
        try {
          await step.build();
        } catch (error) {
          throw new Error(`The build step "${step.name}" failed: ${(error as Error).message}`);
        }
        stamps[step.name] = digest;
        done.push(step.name);
        save();
      });
    }
  } finally {
    release();
  }
  return done;
};
