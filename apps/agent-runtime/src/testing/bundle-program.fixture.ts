/** Makes the pod program's one file as its build does, in a directory of the spec's own. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const app = path.join(import.meta.dirname, '../..');

/** @throws Error when the bundler does. */
export async function bundleProgram(outfile: string): Promise<void> {
  const { scripts } = JSON.parse(readFileSync(path.join(app, 'package.json'), 'utf8')) as {
    scripts: { bundle: string };
  };
  const bundle = spawn('/bin/sh', ['-c', scripts.bundle.replace('dist/agent-runtime.mjs', outfile)], {
    cwd: app,
    stdio: 'ignore',
    env: { PATH: `${path.join(app, '../../node_modules/.bin')}:${process.env['PATH']}` },
  });
  const code = await new Promise((resolve) => bundle.once('exit', resolve));
  if (code !== 0) throw new Error(`the bundle could not be made (${String(code)})`);
}
