/** Where this checkout and its installed programs are, whatever directory the command was called from. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const checkout = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

const require = createRequire(import.meta.url);

/** Folder of an installed npm package. Some packages export no package.json, so the lookup walks node_modules by itself. */
export const packageDirectory = (name: string): string => {
  for (const base of require.resolve.paths(name) ?? []) {
    const directory = path.join(base, name);
    try {
      require(path.join(directory, 'package.json'));
      return directory;
    } catch {
      continue;
    }
  }
  throw new Error(`The npm package ${name} is not installed. Run "npm ci" in ${checkout}.`);
};

/** A program of node_modules/.bin. */
export const installedProgram = (name: string): string => path.join(checkout, 'node_modules', '.bin', name);

/** The real Node 24 binary (node_modules/.bin holds a link to it). */
export const nodeProgram = (): string => path.join(packageDirectory('node'), 'bin', 'node');
