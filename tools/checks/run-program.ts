/** Runs one of our development programs in the checkout; the exit code is an answer here, not an error. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { checkout } from '../stack/checkout.ts';

export interface ProgramResult {
  readonly code: number;
  readonly output: string;
}

export interface ProgramOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Shows everything as it comes instead of keeping it. */
  readonly show?: boolean;
  /** Ended, as if it had failed, when it takes longer. */
  readonly limitMs?: number;
}

/** A stack of the developer's own must not be what the tests talk to. */
const testEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('BRAVO_'),
    ),
  );

export const runProgram = (command: string, args: readonly string[], options: ProgramOptions = {}): Promise<ProgramResult> =>
  new Promise((resolve, reject) => {
    const program = command.includes('/') ? command : path.join(checkout, 'node_modules', '.bin', command);
    const child = spawn(program, [...args], {
      cwd: options.cwd ?? checkout,
      env: { ...testEnvironment(), ...options.env },
      stdio: options.show ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    });
    const said: Buffer[] = [];
    child.stdout?.on('data', (text: Buffer) => said.push(text));
    child.stderr?.on('data', (text: Buffer) => said.push(text));
    // It does not outlive whoever runs it and is stopped.
    const end = (): void => void child.kill();
    process.once('exit', end);
    const limit = options.limitMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), options.limitMs);
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(limit);
      process.off('exit', end);
    });
    child.once('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(said).toString('utf8') }));
  });
