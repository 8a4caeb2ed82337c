/** The one private directory of a running stack: 0700, every file in it 0600; nothing secret is written anywhere else (D24). */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkout } from './checkout.ts';

export interface Home {
  readonly root: string;
  readonly keys: string;
  readonly logs: string;
  /** Rendered plans and configuration files, which hold passwords. */
  readonly run: string;
  readonly postgres: string;
  readonly nats: string;
  readonly workspaces: string;
  readonly sandbox: string;
  /**
   * Working directories of local pods. Each pod has a user of its own that must be able to enter its directory, so as root
   * they lie beside the private directory, not in it; there is nothing of ours in them.
   */
  readonly pods: string;
  readonly stateFile: string;
  readonly secretsFile: string;
  readonly planFile: string;
}

const podsDirectory = (root: string): string =>
  process.getuid?.() === 0
    ? path.join('/var/lib/bravo/pods', createHash('sha256').update(path.resolve(root)).digest('hex').slice(0, 16))
    : path.join(root, 'pods');

export const homeAt = (root: string): Home => {
  const inside = (name: string): string => path.join(root, name);
  return {
    root,
    keys: inside('keys'),
    logs: inside('logs'),
    run: inside('run'),
    postgres: inside('postgres'),
    nats: inside('nats'),
    workspaces: inside('workspaces'),
    sandbox: inside('sandbox'),
    pods: podsDirectory(root),
    stateFile: inside('state.json'),
    secretsFile: inside('secrets.json'),
    planFile: path.join(root, 'run', 'plan.json'),
  };
};

/** `.bravo` of the checkout, or BRAVO_HOME (relative to the directory the command was called from). */
export const resolveHome = (environment: Readonly<Record<string, string | undefined>>): Home =>
  homeAt(environment['BRAVO_HOME'] ? path.resolve(environment['BRAVO_HOME']) : path.join(checkout, '.bravo'));

/** Creates what is missing and closes what someone opened. The embedded servers make their own directories. */
export const ensureHome = (home: Home): void => {
  for (const directory of [home.root, home.keys, home.logs, home.run, home.workspaces, home.sandbox]) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    if ((statSync(directory).mode & 0o077) !== 0) chmodSync(directory, 0o700);
  }
  mkdirSync(home.pods, { recursive: true });
  // Entered by name, never listed.
  chmodSync(home.pods, 0o711);
};

/** Written beside and renamed, so that a reader sees the old text or the new one, never half of it. */
export const writePrivate = (file: string, text: string): void => {
  const partial = `${file}.${process.pid}.partial`;
  writeFileSync(partial, text, { mode: 0o600 });
  renameSync(partial, file);
};

/** Undefined when the file does not exist; a sentence with the remedy when it cannot be read or is no JSON. */
export const readJson = <T>(file: string, remedy: string): T | undefined => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new Error(`${file} cannot be read (${code ?? message}): ${remedy}`);
  }
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new Error(`${file} is not valid JSON: ${remedy}`);
  }
};
