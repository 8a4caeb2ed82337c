/** Writes the hashes of paired tokens into `config.toml`, as a whole or not at all; every other setting of the file stays (its comments do not). */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'smol-toml';

/** @throws when the directory is not there or cannot be written. */
export function writePairedTokens(directory: string | undefined, hashes: readonly string[]): void {
  if (directory === undefined) throw new Error('there is no directory to write to');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = path.join(directory, 'config.toml');
  const document = read(file);
  const gateway = (document['gateway'] ?? {}) as Record<string, unknown>;
  document['gateway'] = { ...gateway, paired_tokens: [...hashes] };
  writeFileSync(`${file}.new`, stringify(document), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function read(file: string): Record<string, unknown> {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { schema_version: 3 };
    throw error;
  }
}
