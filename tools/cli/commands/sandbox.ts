/** `sandbox exec`: one execution of one file in the real sandbox, its result as JSON; never anything outside it. */
import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Finished, InputFile, RunExecutionRequest } from '@bravo/proto/sandbox';
import { CommandError, type Command } from '../command.ts';
import { requireRunning, withSandbox } from '../operator.ts';
import { printJson } from '../output.ts';

const languages: Readonly<Record<string, string>> = {
  python: 'python',
  python3: 'python',
  node: 'node',
  javascript: 'node',
  bash: 'bash',
  sh: 'bash',
};

const positive = (value: string | undefined, option: string): number => {
  if (value === undefined) return 0;
  if (!/^[1-9]\d*$/.test(value)) throw new CommandError(`${option} wants a whole number above 0.`, 2);
  return Number(value);
};

const readInput = (file: string, name: string): InputFile => {
  try {
    return { path: name, content: readFileSync(file), mode: statSync(file).mode & 0o777 };
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`);
  }
};

/** A program is text: bytes that are none would arrive as other ones. */
const textOf = (file: string, content: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw new CommandError(`${file} is no UTF-8 text. Hand bytes over as a file: --in FILE.`, 2);
  }
};

interface Collected {
  stdout: Buffer[];
  stderr: Buffer[];
  finished: Finished | undefined;
}

const execute = async (stack: ReturnType<typeof requireRunning>, request: RunExecutionRequest): Promise<Collected> => {
  const collected: Collected = { stdout: [], stderr: [], finished: undefined };
  await withSandbox(stack, async (sandbox) => {
    for await (const { event } of sandbox.runExecution(request)) {
      if (event?.$case === 'stdout') collected.stdout.push(Buffer.from(event.stdout));
      else if (event?.$case === 'stderr') collected.stderr.push(Buffer.from(event.stderr));
      else if (event?.$case === 'finished') collected.finished = event.finished;
      else if (event?.$case === 'started') for (const notice of event.started.notices) process.stderr.write(`${notice}\n`);
    }
  });
  return collected;
};

/** Text as it is; bytes that are no UTF-8 are given in base64, never mangled. */
const fileContent = (content: Uint8Array): { content: string } | { content_base64: string } => {
  const buffer = Buffer.from(content);
  const text = buffer.toString('utf8');
  return Buffer.from(text, 'utf8').equals(buffer) ? { content: text } : { content_base64: buffer.toString('base64') };
};

/** As a shell would say it: the program's own code, or 124 and 137 where a limit ended it. */
export const programExitCode = ({ exitCode, timedOut, oomKilled }: Pick<Finished, 'exitCode' | 'timedOut' | 'oomKilled'>): number => {
  if (timedOut) return 124;
  return oomKilled ? 137 : exitCode;
};

export const command: Command = {
  summary:
    "Run one file in the sandbox and print the result as JSON. The exit code is the program's own (124: its time was up, 137: its memory was); with --json it is 0 whenever a result was printed.",
  usage: 'sandbox exec LANGUAGE FILE [--timeout S] [--memory MB] [--in FILE]… [--json]',
  run: async ({ args, environment }) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        timeout: { type: 'string' },
        memory: { type: 'string' },
        in: { type: 'string', multiple: true, default: [] },
        json: { type: 'boolean', default: false },
      },
    });
    const [verb, language = '', file, ...rest] = positionals;
    if (verb !== 'exec' || file === undefined || rest.length > 0) {
      throw new CommandError(`Usage: ./bravo ${command.usage}`, 2);
    }
    const known = Object.hasOwn(languages, language) ? languages[language] : undefined;
    if (known === undefined) throw new CommandError(`"${language}" is no language of the sandbox: python, node or bash.`, 2);
    const id = randomUUID();
    const { stdout, stderr, finished } = await execute(requireRunning(environment), {
      executionId: `operator-${id}`,
      conversationId: `operator-${id}`,
      language: known,
      code: textOf(file, readInput(file, 'code').content),
      files: values.in.map((input) => readInput(input, path.basename(input))),
      env: {},
      limits: { timeoutSeconds: positive(values.timeout, '--timeout'), memoryMb: positive(values.memory, '--memory'), cpu: 0 },
    });
    if (finished === undefined) throw new CommandError('The execution ended without a result: "./bravo logs sandbox-runner".');
    printJson({
      exit_code: finished.exitCode,
      signal: finished.signal || null,
      stdout: Buffer.concat(stdout).toString('utf8'),
      stderr: Buffer.concat(stderr).toString('utf8'),
      timed_out: finished.timedOut,
      oom_killed: finished.oomKilled,
      duration_ms: finished.durationMs,
      files: finished.files.map(({ path: name, content, mode }) => ({ path: name, mode, size: content.length, ...fileContent(content) })),
    });
    return values.json ? 0 : programExitCode(finished);
  },
};
