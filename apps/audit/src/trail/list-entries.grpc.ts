/** ListEntries on the wire; what is shown comes from the hashed bytes, not from the columns beside them. */
import type { Handlers } from '@bravo/chassis';
import type { AuditServiceService, Entry, ListEntriesRequest } from '@bravo/proto/audit';
import type { EntryFilter, StoredEntry } from './entries.port.ts';
import { readLeaf } from './leaf.ts';
import type { ListEntries } from './list-entries.ts';

export const listEntriesHandler =
  (listEntries: ListEntries): Handlers<AuditServiceService>['listEntries'] =>
  async (request, { principal }) => {
    const { entries, nextCursor } = await listEntries(principal, {
      order: request.order,
      limit: request.page?.limit ?? 0,
      cursor: request.page?.cursor ?? '',
      ...readFilter(request),
    });
    return { entries: entries.map(toMessage), page: { nextCursor } };
  };

export const toMessage = ({ index, hash, bytes, recordedAt }: StoredEntry): Entry => {
  const { columns, dataJson } = readLeaf(bytes);
  return {
    index,
    leafHash: Buffer.from(hash).toString('hex'),
    eventId: columns.eventId,
    type: columns.type,
    actor: columns.actor,
    onBehalfOf: columns.onBehalfOf,
    conversationId: columns.conversationId,
    producer: columns.producer,
    producerSequence: columns.producerSequence,
    time: columns.time,
    recordedAt,
    dataJson: withoutCiphertext(dataJson),
  };
};

const FILTERS = [
  'conversationId',
  'actor',
  'onBehalfOf',
  'type',
  'tool',
  'toolCallId',
  'decision',
  'rule',
  'resource',
  'text',
  'from',
  'to',
] as const;

/** What is empty on the wire is not asked for. */
export const readFilter = (request: ListEntriesRequest): EntryFilter =>
  Object.fromEntries(FILTERS.flatMap((name) => (request[name] ? [[name, request[name]]] : [])));

/** Of sealed content a listing tells that it is there and how long it is; the bytes themselves stand in an export. */
const withoutCiphertext = (dataJson: string): string => {
  const data = JSON.parse(dataJson) as { sealed?: { jwe?: string } };
  if (data.sealed?.jwe === undefined) return dataJson;
  const { jwe, ...sealed } = data.sealed;
  return JSON.stringify({ ...data, sealed: { ...sealed, sealed_bytes: jwe.length } });
};
