/** What one entry of the log is: the canonical bytes of a CloudEvent. Guarantees that columns are read from those bytes alone; it must never add, drop or reword a field of the event. */
import { canonicalJson, NotCanonicalError } from '@bravo/policy/canonical-json';
import { z } from 'zod';
import { hashLeaf } from '../merkle/merkle-tree.ts';

/** Printable and short enough to be a column of an index. Types are not checked against our catalogue: a newer producer's events are recorded too. */
const name = z.string().regex(/^[^\p{Cc}]{1,256}$/u);

const envelope = z.looseObject({
  specversion: z.literal('1.0'),
  id: name,
  type: name,
  time: z.iso.datetime(),
  workspace: name,
  conversation: name.optional(),
  actor: name,
  onbehalfof: name.optional(),
  producer: name,
  producerseq: z.int().min(1),
  data: z.record(z.string(), z.unknown()),
});

export interface LeafColumns {
  readonly workspaceId: string;
  readonly eventId: string;
  readonly type: string;
  readonly actor: string;
  /** Empty where the actor acts for itself. */
  readonly onBehalfOf: string;
  /** Empty where the event concerns no conversation. */
  readonly conversationId: string;
  readonly producer: string;
  readonly producerSequence: number;
  readonly time: Date;
  /** What the event's data say under the same names (`decision`: `effect`), for searching; empty where they say nothing. */
  readonly tool: string;
  readonly toolCallId: string;
  readonly decision: string;
  readonly rule: string;
}

export interface Leaf extends LeafColumns {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly hash: Uint8Array<ArrayBuffer>;
}

/** Says why a message is no event; never repeats its content. */
export class NotAnEventError extends Error {
  override readonly name = 'NotAnEventError';
}

/** @throws NotAnEventError when the body is no CloudEvent of ours or has no canonical spelling. */
export const leafOf = (body: string): Leaf => {
  const event = parse(body);
  const columns = columnsOf(event);
  const bytes = new Uint8Array(Buffer.from(spell(event)));
  if (bytes.length > MAX_LEAF_BYTES) throw new NotAnEventError(`It is larger than ${MAX_LEAF_BYTES} bytes.`);
  return { ...columns, bytes, hash: new Uint8Array(hashLeaf(bytes)) };
};

/** A row of Postgres holds more, but a message of the bus does not; content travels sealed in pieces of its own. */
export const MAX_LEAF_BYTES = 768 * 1024;

/** Columns and data as the stored bytes say them. @throws NotAnEventError when they say nothing. */
export const readLeaf = (bytes: Uint8Array): { columns: LeafColumns; dataJson: string } => {
  const event = parse(Buffer.from(bytes).toString('utf8'));
  return { columns: columnsOf(event), dataJson: spell((event as { data?: unknown }).data) };
};

const parse = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    throw new NotAnEventError('It is not JSON.');
  }
};

const columnsOf = (event: unknown): LeafColumns => {
  const read = envelope.safeParse(event);
  if (!read.success) {
    const fields = [...new Set(read.error.issues.map((issue) => issue.path.join('.') || 'the whole'))];
    throw new NotAnEventError(`It is no event of ours; wrong: ${fields.join(', ')}.`);
  }
  const { id, type, time, workspace, conversation, actor, onbehalfof, producer, producerseq, data } = read.data;
  return {
    workspaceId: workspace,
    eventId: id,
    type,
    actor,
    onBehalfOf: onbehalfof ?? '',
    conversationId: conversation ?? '',
    producer,
    producerSequence: producerseq,
    time: new Date(time),
    tool: wordOf(data['tool']),
    toolCallId: wordOf(data['tool_call_id']),
    decision: wordOf(data['effect']),
    rule: wordOf(data['rule']),
  };
};

/** Cut to what an index takes; what was said in full stands in the bytes. */
const wordOf = (value: unknown): string =>
  typeof value === 'string' ? value.replaceAll('\0', '').slice(0, 512).toWellFormed() : '';

const spell = (value: unknown): string => {
  try {
    return canonicalJson(value);
  } catch (error) {
    if (error instanceof NotCanonicalError)
      throw new NotAnEventError(`It has no canonical spelling: ${error.message}.`);
    throw error;
  }
};
