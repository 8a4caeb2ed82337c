/** Runs one short system command to its end; a failure carries what the command said, and it never inherits our environment. */
import { spawn } from 'node:child_process';

export class CommandFailed extends Error {
  constructor(command: string, said: string) {
    super(`${command}: ${said.trim().split('\n')[0] || 'failed without a word'}`);
    this.name = 'CommandFailed';
  }
}

const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** What every command of the sandbox is started with: enough to be found, nothing of ours. */
export const COMMAND_ENVIRONMENT = { PATH: SYSTEM_PATH, LANG: 'C.UTF-8' } as const;

/** Resolves with stdout (at most 64 KiB are kept). */
export const runCommand = (command: string, args: readonly string[], timeoutMs = 10_000): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: COMMAND_ENVIRONMENT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // Not the option of spawn: its timer stays when the program cannot be started.
    const late = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    const said = { stdout: '', stderr: '' };
    const keep = (stream: 'stdout' | 'stderr') => (chunk: Buffer) => {
      if (said[stream].length < 65_536) said[stream] += chunk.toString('utf8');
    };
    child.stdout.on('data', keep('stdout'));
    child.stderr.on('data', keep('stderr'));
    child.on('error', (error) => {
      clearTimeout(late);
      reject(new CommandFailed(command, error.message));
    });
    child.on('close', (code, signal) => {
      clearTimeout(late);
      if (code === 0) resolve(said.stdout);
      else reject(new CommandFailed(`${command} ${args[0] ?? ''}`, said.stderr || `ended with ${signal ?? code}`));
    });
  });
