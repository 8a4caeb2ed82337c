/** Makes one file of the other runtime, because a contained pod sees nothing else of the machine. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export const bundleOtherRuntime = async (outfile: string): Promise<void> => {
  const entry = path.join(path.dirname(fileURLToPath(import.meta.url)), 'main.mjs');
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
};
