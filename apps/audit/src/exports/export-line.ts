/** One entry or the head of an export in each format. Guarantees that every line carries the recorded bytes, their place, their hash and their proof; it must never reword what was recorded. */
import { readLeaf } from '../trail/leaf.ts';

export const EXPORT_FORMATS = ['jsonl', 'csv', 'cloudevents', 'ocsf', 'cef'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportHead {
  readonly workspace: string;
  /** Name of the log in its checkpoints. */
  readonly origin: string;
  /** Signed note; entries are proven against it. */
  readonly checkpoint: string;
  readonly size: number;
  readonly verifier_keys: readonly string[];
  /** Empty: every entry the checkpoint covers, from `first` on. */
  readonly filter: Readonly<Record<string, string>>;
  /** What is still kept begins here. */
  readonly first: number;
  /** Where entries before `first` were pruned: the signed note over them and the subtrees it is made of, base64. */
  readonly stub?: { readonly note: string; readonly peaks: readonly string[] };
  readonly consistency: readonly { readonly older: number; readonly proof: readonly string[] }[];
  readonly exported_at: string;
}

export interface ExportedEntry {
  readonly index: number;
  /** Hex. */
  readonly leafHash: string;
  /** The canonical JSON, as recorded. */
  readonly event: string;
  /** Base64, from the leaf's sibling up. */
  readonly proof: readonly string[];
}

export interface ExportWriter {
  head(head: ExportHead): string;
  entry(entry: ExportedEntry): string;
  /** Says how many there were, so that a cut file shows. */
  end(entries: number): string;
}

const KIND = 'bravo-trail-export';

const jsonl: ExportWriter = {
  head: (head) => `${JSON.stringify({ kind: KIND, version: 1, ...head })}\n`,
  // The event is put in as it stands: spelling it again could only go wrong.
  entry: ({ index, leafHash, event, proof }) =>
    `{"index":${index},"leaf_hash":"${leafHash}","proof":${JSON.stringify(proof)},"event":${event}}\n`,
  end: (entries) => `${JSON.stringify({ kind: `${KIND}-end`, entries })}\n`,
};

const CSV_COLUMNS = [
  'index',
  'leaf_hash',
  'time',
  'type',
  'actor',
  'on_behalf_of',
  'conversation',
  'producer',
  'producer_seq',
  'tool',
  'decision',
  'event',
  'proof',
];
const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
/** A spreadsheet must never run what somebody's name begins with. */
const plainCell = (text: string): string => cell(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

const csv: ExportWriter = {
  head: (head) => `# ${JSON.stringify({ kind: KIND, version: 1, ...head })}\r\n${CSV_COLUMNS.join(',')}\r\n`,
  entry: ({ index, leafHash, event, proof }) => {
    const { columns } = readLeaf(Buffer.from(event));
    const { time, type, actor, onBehalfOf, conversationId, producer, producerSequence, tool, decision } = columns;
    const told = [
      time.toISOString(),
      type,
      actor,
      onBehalfOf,
      conversationId,
      producer,
      String(producerSequence),
      tool,
      decision,
    ];
    return `${[String(index), leafHash, ...told.map(plainCell), cell(event), cell(proof.join(' '))].join(',')}\r\n`;
  },
  end: (entries) => `# ${JSON.stringify({ kind: `${KIND}-end`, entries })}\r\n`,
};

const headEvent = (type: string, data: object): string =>
  `${JSON.stringify({ specversion: '1.0', id: type, source: 'bravo/audit', type, datacontenttype: 'application/json', data })}\n`;

const cloudevents: ExportWriter = {
  head: (head) => headEvent(KIND, { version: 1, ...head }),
  /** Extensions of CloudEvents are simple values with names of lowercase letters and digits. */
  entry: ({ index, leafHash, event, proof }) =>
    `${event.slice(0, -1)},"trailindex":${index},"trailleafhash":"${leafHash}","trailproof":"${proof.join(' ')}"}\n`,
  end: (entries) => headEvent(`${KIND}-end`, { entries }),
};

const OCSF_METADATA = { version: '1.6.0', product: { name: 'Bravo', vendor_name: 'Bravo' } };
/** API Activity: category 6 (application activity), class 6003; activity 99 is "other", told in words. */
const OCSF_CLASS = { category_uid: 6, class_uid: 6003, activity_id: 99, type_uid: 600_399 };
const SEVERITY = { informational: 1, low: 2, medium: 3 };

export const severityOf = (type: string, decision: string): number =>
  decision === 'deny' || /\.(denied|expired)$/.test(type)
    ? SEVERITY.medium
    : decision === 'ask'
      ? SEVERITY.low
      : SEVERITY.informational;

const ocsfHead = (name: string, told: object): string =>
  `${JSON.stringify({ ...OCSF_CLASS, activity_name: name, severity_id: SEVERITY.informational, time: 0, metadata: OCSF_METADATA, unmapped: told })}\n`;

const ocsf: ExportWriter = {
  head: (head) => ocsfHead(KIND, { version: 1, ...head }),
  entry: ({ index, leafHash, event, proof }) => {
    const { columns } = readLeaf(Buffer.from(event));
    const { type, time, actor, onBehalfOf, decision, eventId, workspaceId, conversationId } = columns;
    return `${JSON.stringify({
      ...OCSF_CLASS,
      activity_name: type,
      severity_id: severityOf(type, decision),
      time: time.getTime(),
      metadata: {
        ...OCSF_METADATA,
        uid: eventId,
        sequence: index,
        log_name: workspaceId,
        ...(conversationId ? { correlation_uid: conversationId } : {}),
      },
      actor: { user: { uid: actor, ...(onBehalfOf ? { name: onBehalfOf } : {}) } },
      api: { operation: type, service: { name: columns.producer } },
      ...(decision ? { status_detail: decision } : {}),
      unmapped: { index, leaf_hash: leafHash, proof, event },
    })}\n`;
  },
  end: (entries) => ocsfHead(`${KIND}-end`, { entries }),
};

const cefHeader = (text: string): string => text.replace(/[\\|]/g, '\\$&').replace(/[\r\n]/g, ' ');
const cefValue = (text: string): string =>
  text.replace(/[\\=]/g, '\\$&').replaceAll('\r', '\\r').replaceAll('\n', '\\n');
const cefLine = (type: string, severity: number, fields: readonly (readonly [string, string])[]): string =>
  `CEF:0|Bravo|Bravo|1|${cefHeader(type)}|${cefHeader(type)}|${severity}|${fields.map(([key, value]) => `${key}=${cefValue(value)}`).join(' ')}\n`;

const cef: ExportWriter = {
  head: (head) =>
    cefLine(KIND, 0, [
      ['cs3Label', 'event'],
      ['cs3', JSON.stringify({ version: 1, ...head })],
    ]),
  entry: ({ index, leafHash, event, proof }) => {
    const { type, time, actor, onBehalfOf, decision, eventId } = readLeaf(Buffer.from(event)).columns;
    return cefLine(type, severityOf(type, decision) * 2, [
      ['rt', String(time.getTime())],
      ['externalId', eventId],
      ['suser', actor],
      ...(onBehalfOf ? [['duser', onBehalfOf] as const] : []),
      ...(decision ? [['outcome', decision] as const] : []),
      ['cn1Label', 'index'],
      ['cn1', String(index)],
      ['cs1Label', 'leafHash'],
      ['cs1', leafHash],
      ['cs2Label', 'proof'],
      ['cs2', proof.join(' ')],
      ['cs3Label', 'event'],
      ['cs3', event],
    ]);
  },
  end: (entries) =>
    cefLine(`${KIND}-end`, 0, [
      ['cn1Label', 'entries'],
      ['cn1', String(entries)],
    ]),
};

export const EXPORT_WRITERS: Readonly<Record<ExportFormat, ExportWriter>> = { jsonl, csv, cloudevents, ocsf, cef };
