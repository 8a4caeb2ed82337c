/** Gives out what the newest checkpoint covers, each entry with its proof. Guarantees that who took what is on record before the first byte goes out; what is not signed yet is never part of it. */
import type { Principal } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import { originOf } from '../checkpoints/checkpoint.ts';
import type { Deliveries } from '../checkpoints/checkpoint-sink.port.ts';
import type { Checkpoints } from '../checkpoints/checkpoints.port.ts';
import { HASH_BYTES } from '../merkle/merkle-tree.ts';
import { proofMakerOf } from '../checkpoints/prove.ts';
import type { NoteSigner } from '../checkpoints/signed-note.ts';
import type { Entries, EntryFilter } from '../trail/entries.port.ts';
import type { Retention } from '../retention/retention.port.ts';
import { requireAuditRead } from '../trail/require-person.ts';
import type { RecordRead } from '../trail/record-read.ts';
import { EXPORT_FORMATS, EXPORT_WRITERS, type ExportFormat } from './export-line.ts';

export interface ExportQuery {
  readonly format: string;
  readonly filter: EntryFilter;
  /** Sizes of checkpoints the reader kept: the head proves that the log extends each. */
  readonly older: readonly number[];
}

export interface ExportPorts {
  readonly entries: Entries;
  readonly checkpoints: Checkpoints;
  readonly deliveries: Pick<Deliveries, 'answers'>;
  readonly signer: NoteSigner;
  readonly retention: Pick<Retention, 'stub'>;
  readonly recordRead: Pick<RecordRead, 'exported'>;
}

export type ExportEntries = (principal: Principal, query: ExportQuery) => AsyncIterable<string>;

const BATCH = 500;
const MOST_OLDER = 100;
const CHUNK_CHARACTERS = 64 * 1024;

export const createExportEntries = (ports: ExportPorts): ExportEntries =>
  async function* (principal, query) {
    requireAuditRead(principal);
    const { workspaceId } = principal;
    const writer = EXPORT_WRITERS[readFormat(query.format)];
    const signed = await ports.checkpoints.latest(workspaceId);
    if (!signed)
      throw new Fault('conflict', 'Nothing is signed yet, so nothing can be proven. Try again in some seconds.');
    const { size } = signed;
    const stub = await ports.retention.stub(workspaceId);
    const first = stub?.size ?? 0;
    const proofs = proofMakerOf(ports.checkpoints, workspaceId, size);
    const consistency = [];
    for (const older of readOlder(query.older, size, first))
      consistency.push({ older, proof: (await proofs.consistency(older)).map(base64) });
    await ports.recordRead.exported(principal, query.format, query.filter, size);

    let text = writer.head({
      workspace: workspaceId,
      origin: originOf(workspaceId),
      checkpoint: signed.note + (await ports.deliveries.answers(workspaceId, size)).join(''),
      size,
      verifier_keys: ports.signer.verifierKeys(originOf(workspaceId)),
      filter: toWords(query.filter),
      first,
      ...(stub ? { stub: { note: stub.note, peaks: hashesOf(stub.peaks).map(base64) } } : {}),
      consistency,
      exported_at: new Date().toISOString(),
    });
    let written = 0;
    let after = -1;
    for (;;) {
      const batch = await ports.entries.list(workspaceId, query.filter, { order: 'asc', limit: BATCH, after });
      // What went since the head was written would look like a hole.
      if (after < 0 && ((await ports.retention.stub(workspaceId))?.size ?? 0) !== first)
        throw new Fault('conflict', 'The trail was pruned while the export began. Ask again.');
      for (const { index, hash, bytes } of batch) {
        after = index;
        if (index >= size) break;
        const proof = (await proofs.inclusion(index)).map(base64);
        const event = Buffer.from(bytes).toString('utf8');
        text += writer.entry({ index, leafHash: Buffer.from(hash).toString('hex'), event, proof });
        written += 1;
        if (text.length >= CHUNK_CHARACTERS) {
          yield text;
          text = '';
        }
      }
      if (batch.length < BATCH || after >= size - 1) break;
    }
    yield text + writer.end(written);
  };

const base64 = (hash: Uint8Array): string => Buffer.from(hash).toString('base64');

const readFormat = (format: string): ExportFormat => {
  const known = EXPORT_FORMATS.find((name) => name === format);
  if (known === undefined)
    throw new Fault('invalid_argument', `The format is one of ${EXPORT_FORMATS.join(', ')}.`, {
      meta: { field: 'format' },
    });
  return known;
};

const hashesOf = (packed: Uint8Array): Uint8Array[] =>
  Array.from({ length: packed.length / HASH_BYTES }, (_, at) =>
    packed.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );

/** @throws Fault for sizes the log cannot prove anything about: larger ones, and those from before what is still kept. */
export const readOlder = (older: readonly number[], size: number, first = 0): readonly number[] => {
  const pruned = older.find((one) => one < first);
  if (pruned !== undefined && Number.isSafeInteger(pruned) && pruned >= 1)
    throw new Fault(
      'invalid_argument',
      `Entries before ${first} were pruned: nothing is proven about a log of ${pruned}.`,
      {
        meta: { field: 'older' },
      },
    );
  if (older.length > MOST_OLDER)
    throw new Fault('invalid_argument', `At most ${MOST_OLDER} older sizes can be asked for at once.`, {
      meta: { field: 'older' },
    });
  const beyond = older.find((one) => !Number.isSafeInteger(one) || one < 1 || one > size);
  if (beyond !== undefined)
    throw new Fault('invalid_argument', `The newest checkpoint covers ${size} entries; ${beyond} is no older size.`, {
      meta: { field: 'older' },
    });
  return older;
};

const toWords = (filter: EntryFilter): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filter).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value instanceof Date ? value.toISOString() : String(value)]],
    ),
  );
