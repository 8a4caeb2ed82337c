/** Builds what changed since the last build and nothing else; two builds of one checkout never run at once. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
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

/** Names of the steps that had to be done. `force` builds everything again. */
export const runBuild = async (
  root: string,
  { say = () => {}, force = false }: { say?: (stepName: string) => void; force?: boolean } = {},
): Promise<string[]> => {
  const directory = cacheDirectory(root);
  mkdirSync(directory, { recursive: true });
  const stampFile = path.join(directory, 'build.json');
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
        const complete = step.outputs.every((output) => existsSync(path.join(root, output)));
        if (complete && stamps[step.name] === digest) return;
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
