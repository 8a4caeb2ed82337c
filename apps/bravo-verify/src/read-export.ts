/** Reads the five formats of an export into one shape, line by line. It must never fill in what a line does not say. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { canonical } from './canonical.ts';

export interface ExportHead {
  readonly workspace: string;
  readonly origin: string;
  readonly checkpoint: string;
  readonly size: number;
  readonly verifier_keys: readonly string[];
  readonly filter: Readonly<Record<string, string>>;
  readonly first: number;
  readonly stub?: { readonly note: string; readonly peaks: readonly string[] } | undefined;
  readonly consistency: readonly { readonly older: number; readonly proof: readonly string[] }[];
}

export interface ExportedEntry {
  readonly index: number;
  readonly leafHash: string;
  /** Exactly the bytes that were hashed, if nothing was changed. */
  readonly event: string;
  readonly proof: readonly string[];
  /** What the readable columns say, for comparing with the event; absent where the event is all there is. */
  readonly told?: Readonly<Record<string, string>>;
}

export type ExportLine =
  | { readonly kind: 'head'; readonly head: ExportHead }
  | { readonly kind: 'entry'; readonly entry: ExportedEntry }
  | { readonly kind: 'end'; readonly entries: number };

const KIND = 'bravo-trail-export';

/** @throws Error naming the line that cannot be read. */
export async function* readExport(file: string): AsyncIterable<ExportLine> {
  const input = file === '-' ? process.stdin : createReadStream(file);
  let read: ((line: string) => ExportLine | undefined) | undefined;
  let number = 0;
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    number += 1;
    if (line === '') continue;
    try {
      read ??= formatOf(line);
      const found = read(line);
      if (found) yield found;
    } catch (error) {
      throw new Error(`line ${number} cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  }
}

const formatOf = (first: string): ((line: string) => ExportLine | undefined) => {
  if (first.startsWith('# ')) return csvLine;
  if (first.startsWith('CEF:')) return cefLine;
  const head = JSON.parse(first) as Record<string, unknown>;
  if (head['kind'] === KIND) return jsonLine;
  if (head['type'] === KIND) return cloudEventLine;
  if (head['activity_name'] === KIND) return ocsfLine;
  throw new Error('it is no export of a trail');
};

/** Head and end tell themselves the same way in each format. */
const framed = (kind: unknown, told: unknown): ExportLine | undefined => {
  if (kind === KIND) return { kind: 'head', head: told as ExportHead };
  return kind === `${KIND}-end` ? { kind: 'end', entries: (told as { entries: number }).entries } : undefined;
};

const jsonLine = (line: string): ExportLine => {
  const value = JSON.parse(line) as Record<string, unknown>;
  const frame = framed(value['kind'], value);
  if (frame) return frame;
  const { index, leaf_hash, proof, event } = value as {
    index: number;
    leaf_hash: string;
    proof: string[];
    event: unknown;
  };
  return entryOf({ index, leafHash: leaf_hash, proof, event: canonical(event) });
};

const cloudEventLine = (line: string): ExportLine => {
  const { trailindex, trailleafhash, trailproof, ...event } = JSON.parse(line) as Record<string, unknown>;
  const frame = framed(event['type'], event['data']);
  if (frame) return frame;
  return entryOf({
    index: Number(trailindex),
    leafHash: String(trailleafhash),
    proof: words(String(trailproof)),
    event: canonical(event),
  });
};

interface OcsfLine {
  readonly activity_name: string;
  readonly time: number;
  readonly metadata: { readonly uid?: string };
  readonly actor?: { readonly user: { readonly uid: string } };
  readonly unmapped: {
    readonly index: number;
    readonly leaf_hash: string;
    readonly proof: string[];
    readonly event: string;
  };
}

const ocsfLine = (line: string): ExportLine => {
  const { activity_name, time, metadata, actor, unmapped } = JSON.parse(line) as OcsfLine;
  const frame = framed(activity_name, unmapped);
  if (frame) return frame;
  const told = {
    type: activity_name,
    time: new Date(time).toISOString(),
    id: metadata.uid ?? '',
    actor: actor?.user.uid ?? '',
  };
  return entryOf({
    index: unmapped.index,
    leafHash: unmapped.leaf_hash,
    proof: unmapped.proof,
    event: unmapped.event,
    told,
  });
};

const CSV_TOLD = ['time', 'type', 'actor', 'onbehalfof', 'conversation', 'producer', 'producerseq'];

const csvLine = (line: string): ExportLine | undefined => {
  if (line.startsWith('# ')) {
    const told = JSON.parse(line.slice(2)) as Record<string, unknown>;
    return framed(told['kind'], told);
  }
  const cells = csvCells(line);
  if (cells[0] === 'index') return undefined;
  const [index, leafHash = '', ...rest] = cells;
  const [event = '', proof = ''] = rest.slice(-2);
  const told = Object.fromEntries(
    CSV_TOLD.map((name, at) => [name, (rest[at] ?? '').replace(/^'(?=[=+\-@\t\r])/, '')]),
  );
  return entryOf({ index: Number(index), leafHash, event, proof: words(proof), told });
};

/** No cell of an export holds a line break: canonical JSON has none. */
const csvCells = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  );

const cefLine = (line: string): ExportLine => {
  const header = /^CEF:0\|Bravo\|Bravo\|1\|((?:[^|\\]|\\.)*)\|(?:[^|\\]|\\.)*\|\d+\|(.*)$/s.exec(line);
  if (!header) throw new Error('it is no line of CEF');
  const type = (header[1] ?? '').replace(/\\(.)/g, '$1');
  const fields = cefFields(header[2] ?? '');
  const frame = framed(type, type === KIND ? JSON.parse(fields['cs3'] ?? '') : { entries: Number(fields['cn1']) });
  if (frame) return frame;
  const told = {
    type,
    time: new Date(Number(fields['rt'])).toISOString(),
    id: fields['externalId'] ?? '',
    actor: fields['suser'] ?? '',
  };
  const { cn1, cs1 = '', cs2 = '', cs3 = '' } = fields;
  return entryOf({ index: Number(cn1), leafHash: cs1, proof: words(cs2), event: cs3, told });
};

/** `key=value key=value`; an equals sign inside a value is escaped. */
const cefFields = (text: string): Record<string, string> => {
  const starts = [...text.matchAll(/(?:^|\s)([A-Za-z0-9]+)=/g)].filter(({ index }) => text[index - 1] !== '\\');
  return Object.fromEntries(
    starts.map((start, at) => {
      const value = text.slice(start.index + start[0].length, starts[at + 1]?.index ?? text.length);
      return [start[1] ?? '', value.replace(/\\([\\=rn])/g, (_, c: string) => ({ r: '\r', n: '\n' })[c] ?? c)];
    }),
  );
};

const entryOf = (entry: ExportedEntry): ExportLine => ({ kind: 'entry', entry });
const words = (text: string): string[] => text.split(' ').filter((word) => word !== '');
