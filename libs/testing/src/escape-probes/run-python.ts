/** Brings Python to a place that has only Node: what of the host has to be seen there, and the program that runs it and says what it printed. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

const PYTHON = '/usr/bin/python3';

/** Whether this machine has a Python of its own to bring. */
export const pythonIsThere = (): boolean => existsSync(PYTHON);

const librariesOf = (file: string): string[] =>
  execFileSync('ldd', [file], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => /(\/\S+) \(0x[0-9a-f]+\)$/.exec(line)?.[1] ?? []);

/** Read-only binds of the interpreter, its modules and the libraries of both. */
export const pythonBinds = (): { source: string; destination: string }[] => {
  const program = realpathSync(PYTHON);
  const modules = join('/usr/lib', program.slice(program.lastIndexOf('/') + 1));
  const dynamic = join(modules, 'lib-dynload');
  const ctypes = readdirSync(dynamic).find((name) => name.startsWith('_ctypes.')) ?? '';
  const libraries = new Set([program, join(dynamic, ctypes)].flatMap(librariesOf));
  return [
    { source: program, destination: PYTHON },
    { source: modules, destination: modules },
    ...[...libraries].map((library) => ({ source: realpathSync(library), destination: library })),
  ];
};

/**
 * JavaScript that defines `runPython({ code, env })`: resolves with `{ stdout, stderr, code, signal }`. The interpreter is a child
 * of the place's own program, so it is held by everything that holds that.
 */
export const RUN_PYTHON = `
const runPython = ({ code, env }) => new Promise((resolve, reject) => {
  const child = require('node:child_process').spawn('${PYTHON}', ['-c', code], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr']) child[stream].on('data', (chunk) => { if (said[stream].length < 1 << 20) said[stream] += chunk; });
  child.once('error', reject);
  child.once('close', (exitCode, signal) => resolve({ ...said, code: exitCode, signal }));
});
`;
