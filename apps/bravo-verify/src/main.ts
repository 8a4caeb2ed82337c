#!/usr/bin/env node
/** bravo-verify: proves an export of a trail without the server, the database or the network. Exit code 0: it verifies; 1: it does not; 2: it could not be asked. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readVerifierKey } from './note.ts';
import { type ExportLine, readExport } from './read-export.ts';
import { type KeptNote, type Report, verifyExport } from './verify-export.ts';

const USAGE = `Usage: bravo-verify EXPORT [--key KEY]... [--retired-key KEY]... [--witness KEY]... [--checkpoint FILE_OR_DIRECTORY]... [--deep] [--json]

EXPORT         what /audit/export gave, in any of its formats; - reads standard input
--key          verifier key (name+id+key) that may sign the newest checkpoint; keep it from a time you trust
--retired-key  one from before a rotation: kept checkpoints may be signed with it
--witness      verifier key of a witness that must have cosigned
--checkpoint   checkpoints kept elsewhere: files, or directories with *.note files
--deep         compares the readable columns of CSV, OCSF and CEF with what was recorded
`;

const notesUnder = (place: string): KeptNote[] => {
  if (!statSync(place).isDirectory()) return [{ source: place, note: readFileSync(place, 'utf8') }];
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.note'))
    .sort()
    .map((name) => ({ source: path.join(place, name), note: readFileSync(path.join(place, name), 'utf8') }));
};

/** Where no key was given the export's own stands in, which proves that nothing was changed since, not who signed. */
async function* withKeysOf(
  lines: AsyncIterable<ExportLine>,
  take: (keys: readonly string[]) => void,
): AsyncIterable<ExportLine> {
  for await (const line of lines) {
    if (line.kind === 'head') take(line.head.verifier_keys);
    yield line;
  }
}

const tell = (report: Report): string => {
  const { ok, entries, size, first, whole, problem, compared, notes } = report;
  const covered = whole ? `all entries from ${first} to ${size - 1}` : `${entries} entries of a log of ${size}`;
  const lines = ok
    ? [
        `Verified: ${covered}.`,
        ...(compared.length > 0
          ? [`Compared with ${compared.length} kept checkpoints, the newest of ${compared.at(-1)} entries.`]
          : []),
      ]
    : [`Does not verify: ${problem}`];
  return `${[...lines, ...notes.map((note) => `Note: ${note}`)].join('\n')}\n`;
};

const main = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      key: { type: 'string', multiple: true, default: [] },
      'retired-key': { type: 'string', multiple: true, default: [] },
      witness: { type: 'string', multiple: true, default: [] },
      checkpoint: { type: 'string', multiple: true, default: [] },
      deep: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const [file, ...more] = positionals;
  if (values.help || file === undefined || more.length > 0) {
    process.stdout.write(USAGE);
    return values.help ? 0 : 2;
  }
  const current = values.key.map(readVerifierKey);
  const trust = {
    current,
    retired: values['retired-key'].map(readVerifierKey),
    witnesses: values.witness.map(readVerifierKey),
  };
  const kept = values.checkpoint.flatMap(notesUnder);
  const ownKeys = current.length === 0;
  const lines = withKeysOf(readExport(file), ([key]) => {
    if (ownKeys && key !== undefined) current.push(readVerifierKey(key));
  });
  const found = await verifyExport(lines, { trust, kept, deep: values.deep });
  const warning =
    'No --key was given: the key is the one the export names itself, which proves nothing about who signed.';
  const report = ownKeys ? { ...found, notes: [warning, ...found.notes] } : found;
  process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : tell(report));
  return report.ok ? 0 : 1;
};

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
