/** Lets a request through only when every item of it is well formed; names the first that is not, before anything has started. */
import { Fault } from '@bravo/faults';
import { flawOfPath, shown } from '@bravo/workspace-files';
import { clampLimits } from './clamp-limits.ts';
import type { ExecutionRequest } from './execution.ts';
import { LANGUAGES, type InputFile, type Language, type Limits } from './sandbox-backend.port.ts';

export const REQUEST_LIMITS = {
  codeBytes: 1024 * 1024,
  files: 256,
  fileBytes: 8 * 1024 * 1024,
  totalFileBytes: 16 * 1024 * 1024,
  variables: 128,
  variableNameBytes: 256,
  variablesBytes: 64 * 1024,
} as const;

export interface AskedExecution {
  readonly workspaceId: string;
  readonly executionId: string;
  readonly conversationId: string;
  readonly language: string;
  readonly code: string;
  readonly files: readonly { readonly path: string; readonly content: Uint8Array; readonly mode: number }[];
  readonly env: Readonly<Record<string, string>>;
  readonly limits: Limits;
}

export const ID = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$/;

export const refuse = (field: string, sentence: string): never => {
  throw new Fault('invalid_argument', sentence, { meta: { field } });
};

export const megabytes = (bytes: number): string => `${bytes / 1024 / 1024} MiB`;

const checkCode = (code: string): void => {
  if (code.trim() === '') refuse('code', 'The code is empty. Say what to run.');
  if (!code.isWellFormed()) refuse('code', 'The code is no valid Unicode text. Put bytes into a file.');
  if (code.includes('\0')) refuse('code', 'The code holds a NUL character.');
  if (Buffer.byteLength(code) > REQUEST_LIMITS.codeBytes) {
    refuse('code', `The code is larger than ${megabytes(REQUEST_LIMITS.codeBytes)}. Put data into files.`);
  }
};

const FLAWS_NAMED = 10;

const flawOfFile = (
  { path, content, mode }: AskedExecution['files'][number],
  landing: string,
  known: ReadonlyMap<string, InputFile>,
): string | undefined => {
  const flaw = flawOfPath(path);
  if (flaw !== undefined) return `The file name ${shown(path)} ${flaw}`;
  if (landing === '') return `The file name ${shown(path)} names no file`;
  if (known.has(landing)) return `The file ${shown(path)} goes in twice`;
  if ((mode & ~0o777) !== 0) return `The mode of ${shown(path)} has more than permission bits`;
  if (content.length <= REQUEST_LIMITS.fileBytes) return undefined;
  return `The file ${shown(path)} is larger than ${megabytes(REQUEST_LIMITS.fileBytes)}`;
};

const checkFiles = (asked: AskedExecution['files']): InputFile[] => {
  if (asked.length > REQUEST_LIMITS.files) refuse('files', `More than ${REQUEST_LIMITS.files} files go in.`);
  const files = new Map<string, InputFile>();
  const directories = new Set<string>();
  const flaws: string[] = [];
  let bytes = 0;
  for (const { path, content, mode } of asked) {
    const parts = path.split('/').filter((part) => part !== '' && part !== '.');
    const landing = parts.join('/');
    const flaw = flawOfFile({ path, content, mode }, landing, files);
    if (flaw !== undefined) flaws.push(flaw);
    bytes += content.length;
    for (let n = 1; n < parts.length; n += 1) directories.add(parts.slice(0, n).join('/'));
    files.set(landing, { path: landing, content, mode: mode === 0 ? 0o644 : mode });
  }
  for (const path of files.keys()) {
    if (directories.has(path)) flaws.push(`${shown(path)} is given as a file and as a directory`);
  }
  if (flaws.length > 0) {
    const more = flaws.length > FLAWS_NAMED ? `; and ${flaws.length - FLAWS_NAMED} more` : '';
    refuse('files', `${flaws.slice(0, FLAWS_NAMED).join('; ')}${more}.`);
  }
  if (bytes > REQUEST_LIMITS.totalFileBytes) {
    refuse('files', `The files are larger than ${megabytes(REQUEST_LIMITS.totalFileBytes)} together.`);
  }
  return [...files.values()];
};

export const checkEnvironment = (env: Readonly<Record<string, string>>): Record<string, string> => {
  const entries = Object.entries(env);
  if (entries.length > REQUEST_LIMITS.variables)
    refuse('env', `More than ${REQUEST_LIMITS.variables} variables are set.`);
  let bytes = 0;
  for (const [name, value] of entries) {
    if (name === '') refuse('env', 'A variable has no name.');
    if (/[=\0]/.test(name) || !name.isWellFormed()) refuse('env', `The variable name ${shown(name)} holds "=" or NUL.`);
    if (Buffer.byteLength(name) > REQUEST_LIMITS.variableNameBytes) {
      refuse('env', `The variable name ${shown(name)} is too long.`);
    }
    if (value.includes('\0')) refuse('env', `The value of the variable ${shown(name)} holds NUL.`);
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
  }
  if (bytes > REQUEST_LIMITS.variablesBytes) refuse('env', 'The variables are larger than 64 KiB together.');
  return Object.fromEntries(entries);
};

/** Throws `invalid_argument` with the item's name in `meta.field`. */
export const checkExecutionRequest = (asked: AskedExecution): ExecutionRequest => {
  if (!ID.test(asked.executionId)) refuse('execution_id', 'The execution id is missing or not one.');
  if (asked.conversationId !== '' && !ID.test(asked.conversationId)) {
    refuse('conversation_id', 'The conversation id is not one.');
  }
  if (!(LANGUAGES as readonly string[]).includes(asked.language)) {
    refuse('language', `The language ${shown(asked.language)} is not known. Known are ${LANGUAGES.join(', ')}.`);
  }
  checkCode(asked.code);
  const files = checkFiles(asked.files);
  const env = checkEnvironment(asked.env);
  const { limits, notices } = clampLimits(asked.limits);
  return {
    workspaceId: asked.workspaceId,
    executionId: asked.executionId,
    conversationId: asked.conversationId,
    program: { language: asked.language as Language, code: asked.code, files, env, limits },
    notices,
  };
};
