/** The toolbox as one file for specs, made from its source as the build makes it, where its users can reach it. */
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export interface BundledToolbox {
  readonly program: string;
  /** A Node that other users may run too, wherever the checkout lies. */
  readonly node: string;
  remove(): void;
}

export const bundleToolbox = async (): Promise<BundledToolbox> => {
  const directory = mkdtempSync(join(tmpdir(), 'bravo-toolbox-'));
  chmodSync(directory, 0o755);
  const program = join(directory, 'toolbox.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('../../../toolbox/src/main.ts', import.meta.url))],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['source'],
    logLevel: 'error',
  });
  chmodSync(program, 0o644);
  return {
    program,
    node: existsSync('/usr/bin/node') ? '/usr/bin/node' : process.execPath,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
};
