/** One digest over names and contents of everything a build step reads; equal digests mean there is nothing to build. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const neverInput = new Set(['node_modules', 'dist', '.bravo', '.nx']);

export const filesUnder = (entry: string): string[] => {
  if (!existsSync(entry)) return [];
  if (statSync(entry).isFile()) return [entry];
  return readdirSync(entry, { withFileTypes: true })
    .filter(({ name }) => !neverInput.has(name))
    .flatMap((child) => {
      const full = path.join(entry, child.name);
      return child.isDirectory() ? filesUnder(full) : child.isFile() ? [full] : [];
    })
    .sort();
};

/** A missing input counts as missing, not as an error: the step itself says what it lacks. */
export const inputDigest = (root: string, inputs: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const input of inputs) {
    hash.update(`input ${input}\n`);
    for (const file of filesUnder(path.join(root, input))) {
      const content = readFileSync(file);
      hash.update(`${path.relative(root, file)} ${content.length}\n`).update(content);
    }
  }
  return hash.digest('hex');
};
