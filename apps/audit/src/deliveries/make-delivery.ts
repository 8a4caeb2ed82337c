/** The next stretch of a log as a delivery. Guarantees that every line carries its index, its hash and its proof, that nothing is left out unsaid, and that a delivery that was begun is made of the same entries again. */
import type { StoredCheckpoint } from '../checkpoints/checkpoints.port.ts';
import { proofMakerOf } from '../checkpoints/prove.ts';
import { base64, headOf, type HeadPorts } from '../exports/export-head.ts';
import { EXPORT_WRITERS, severityOf } from '../exports/export-line.ts';
import type { Entries, ScannedEntry } from '../trail/entries.port.ts';
import { readLeaf } from '../trail/leaf.ts';
import type { DestinationKind, StoredDestination } from './destination.port.ts';
import { DeliveryProblem, type DeliveredLine, type Delivery } from './receiver.port.ts';
import { shorten } from './shorten-event.ts';

export interface DeliveryPorts extends HeadPorts {
  readonly entries: Pick<Entries, 'scan'>;
}

interface Most {
  readonly entries: number;
  readonly bytes: number;
  /** Of one line; a longer one is sent without the data of its event, and says so. */
  readonly lineBytes: number;
}

const KIB = 1024;
/** A receiver of syslog need take no more than 8 KiB of a message (RFC 5425), and cuts what is longer without a word. */
const MOST: Readonly<Record<DestinationKind, Most>> = {
  syslog: { entries: 500, bytes: 1_024 * KIB, lineBytes: 8_000 },
  webhook: { entries: 500, bytes: 1_024 * KIB, lineBytes: Infinity },
  s3: { entries: 10_000, bytes: 8_192 * KIB, lineBytes: Infinity },
};

const FIRST_ROWS = 64;

/** Entries that only tell of deliveries are no reason to deliver: they come with the next ones, or after this long. */
export const ECHO_MS = 3_600_000;

/** Undefined: there is nothing that has to go now. @throws DeliveryProblem where an entry is not there. */
export const createMakeDelivery =
  (ports: DeliveryPorts, now: () => Date = () => new Date()) =>
  async (destination: StoredDestination, signed: StoredCheckpoint): Promise<Delivery | undefined> => {
    const { workspaceId, destinationId, kind, format, pendingTo } = destination;
    const first = (await ports.retention.stub(workspaceId))?.size ?? 0;
    const from = Math.max(destination.nextIndex, first);
    if (from >= signed.size) return undefined;
    const begun = pendingTo !== undefined && pendingTo > from && pendingTo <= signed.size;
    const chosen = await choose(
      ports,
      workspaceId,
      from,
      begun ? pendingTo : signed.size,
      begun ? undefined : MOST[kind],
    );
    if (!begun && chosen.every((entry) => isEcho(entry, now()))) return undefined;
    const to = from + chosen.length;
    const { head } = await headOf(ports, workspaceId, signed, {
      filter: { from_index: String(from), to_index: String(to) },
      older: [],
    });
    const writer = EXPORT_WRITERS[format];
    const proofs = proofMakerOf(ports.checkpoints, workspaceId, signed.size);
    const plain = { severity: 6, time: now() } as const;
    const lines: DeliveredLine[] = [{ kind: 'checkpoint', text: writer.head(head).trimEnd(), ...plain }];
    for (const { index, hash, bytes } of chosen) {
      const event = Buffer.from(bytes).toString('utf8');
      const proof = (await proofs.inclusion(index)).map(base64);
      const leafHash = Buffer.from(hash).toString('hex');
      const write = (text: string): string => writer.entry({ index, leafHash, event: text, proof }).trimEnd();
      const { type, decision, time } = readLeaf(bytes).columns;
      const whole = write(event);
      const text = Buffer.byteLength(whole) <= MOST[kind].lineBytes ? whole : write(shorten(event));
      lines.push({ kind: 'entry', text, severity: SYSLOG_SEVERITY[severityOf(type, decision)] ?? 6, time });
    }
    lines.push({ kind: 'end', text: writer.end(chosen.length).trimEnd(), ...plain });
    return {
      ...{ workspaceId, from, to, lines, deliveryId: `${destinationId}_${from}_${to}` },
      contentType: format === 'cef' ? 'text/plain; charset=utf-8' : 'application/x-ndjson',
    };
  };

const SYSLOG_SEVERITY: Readonly<Record<number, DeliveredLine['severity']>> = { 1: 6, 2: 5, 3: 4 };

/** From `from` on, without a hole; up to `to`, or as many as `most` allows and at least one. */
const choose = async (
  { entries }: DeliveryPorts,
  workspaceId: string,
  from: number,
  to: number,
  most: Most | undefined,
): Promise<readonly ScannedEntry[]> => {
  const chosen: ScannedEntry[] = [];
  let bytes = 0;
  for await (const batch of entries.scan(workspaceId, from, to, FIRST_ROWS)) {
    for (const entry of batch) {
      if (entry.index !== from + chosen.length) throw missing(from + chosen.length);
      if (most && chosen.length > 0 && (chosen.length >= most.entries || bytes + entry.bytes.length > most.bytes))
        return chosen;
      chosen.push(entry);
      bytes += entry.bytes.length;
    }
  }
  if (chosen.length < (most ? 1 : to - from)) throw missing(from + chosen.length);
  return chosen;
};

const missing = (index: number): DeliveryProblem =>
  new DeliveryProblem(
    `Entry ${index} of the trail is not there, so nothing from it on is delivered. Verify the trail.`,
  );

const isEcho = ({ bytes }: ScannedEntry, now: Date): boolean => {
  const { type, time, causation } = JSON.parse(Buffer.from(bytes).toString('utf8')) as Record<string, string>;
  if (!type?.startsWith('agent.egress.') || !causation?.startsWith('dst_')) return false;
  return now.getTime() - Date.parse(time ?? '') < ECHO_MS;
};
