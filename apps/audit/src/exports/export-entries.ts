/** Gives out what the newest checkpoint covers, each entry with its proof. Guarantees that who took what is on record before the first byte goes out; what is not signed yet is never part of it. */
import type { Principal } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import { proofMakerOf } from '../checkpoints/prove.ts';
import type { Entries, EntryFilter } from '../trail/entries.port.ts';
import { requireAuditRead } from '../trail/require-person.ts';
import type { RecordRead } from '../trail/record-read.ts';
import { base64, headOf, type HeadPorts } from './export-head.ts';
import { EXPORT_FORMATS, EXPORT_WRITERS, type ExportFormat } from './export-line.ts';

export interface ExportQuery {
  readonly format: string;
  readonly filter: EntryFilter;
  /** Sizes of checkpoints the reader kept: the head proves that the log extends each. */
  readonly older: readonly number[];
}

export interface ExportPorts extends HeadPorts {
  readonly entries: Entries;
  readonly recordRead: Pick<RecordRead, 'exported'>;
}

export type ExportEntries = (principal: Principal, query: ExportQuery) => AsyncIterable<string>;

const BATCH = 500;
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
    const { head, first } = await headOf(ports, workspaceId, signed, {
      filter: toWords(query.filter),
      older: query.older,
    });
    const proofs = proofMakerOf(ports.checkpoints, workspaceId, size);
    await ports.recordRead.exported(principal, query.format, query.filter, size);

    let text = writer.head(head);
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

const readFormat = (format: string): ExportFormat => {
  const known = EXPORT_FORMATS.find((name) => name === format);
  if (known === undefined)
    throw new Fault('invalid_argument', `The format is one of ${EXPORT_FORMATS.join(', ')}.`, {
      meta: { field: 'format' },
    });
  return known;
};

const toWords = (filter: EntryFilter): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filter).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value instanceof Date ? value.toISOString() : String(value)]],
    ),
  );
