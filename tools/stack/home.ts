/** The one private directory of a running stack: 0700, every file in it 0600; nothing secret is written anywhere else (D24). */
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
  readonly pods: string;
  readonly stateFile: string;
  readonly secretsFile: string;
  readonly planFile: string;
}

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
    pods: inside('pods'),
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
  for (const directory of [home.root, home.keys, home.logs, home.run, home.workspaces, home.sandbox, home.pods]) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    if ((statSync(directory).mode & 0o077) !== 0) chmodSync(directory, 0o700);
  }
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
