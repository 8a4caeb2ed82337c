/** Runs one program of the image build to its end; a failure carries what the program said last. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface ShellOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** @returns standard output. */
export const shell = async (program: string, args: readonly string[], options: ShellOptions = {}): Promise<string> => {
  try {
    const { stdout } = await run(program, [...args], {
      ...options,
      env: { ...process.env, LC_ALL: 'C.UTF-8', ...options.env },
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  } catch (error) {
    const { stderr = '', message } = error as { stderr?: string; message: string };
    const said = stderr
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('W:'))
      .at(-1);
    throw new Error(`${program}: ${said || message.split('\n')[0]}`, { cause: error });
  }
};
