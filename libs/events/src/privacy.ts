/**
 * What each field of an event is, for whoever has to answer what is kept of a person. A field without a class cannot be declared:
 * a test looks at every one.
 */
import { z } from 'zod';
import { EVENTS, type EventType } from './catalogue.ts';

/**
 * `identifier`: an id of ours, of a person or of what is theirs. `digest`: confirms a guess to whoever can guess the very words.
 * `words`: short text a person, an administrator or the platform wrote. `sealed`: content only the person's key opens; erased with it.
 * `operational`: sizes, times, outcomes, names of ours.
 */
export const PRIVACY_CLASSES = ['identifier', 'digest', 'words', 'sealed', 'operational'] as const;
export type PrivacyClass = (typeof PRIVACY_CLASSES)[number];

const CLASS_OF_FIELD: Readonly<Record<PrivacyClass, readonly string[]>> = {
  identifier: [
    ...[
      'project_id',
      'message_id',
      'turn_id',
      'tool_call_id',
      'approval_id',
      'execution_id',
      'grant_id',
      'pod_id',
      'token_id',
      'connection_id',
      'decision_id',
    ],
    ...['user_id', 'hold_id', 'conversation_id', 'upload_id', 'destination_id', 'parent_conversation_id'],
    ...['schedule_id', 'work_id'],
  ],
  digest: [
    ...['digest', 'input_digest', 'output_digest', 'code_digest', 'call_digest', 'stdout_digest', 'stderr_digest'],
    ...['files_digest', 'scope_digest', 'path_digest', 'task_digest', 'report_digest'],
  ],
  words: ['reason', 'reasons', 'asks', 'scope', 'origin', 'filter', 'rule', 'host', 'name'],
  sealed: ['sealed'],
  operational: [
    ...['signal', 'limits_hit', 'file_bytes', 'files_left_out'],
    ...[
      'mode',
      'policy_version',
      'title_bytes',
      'from',
      'to',
      'bytes',
      'queued',
      'source',
      'status',
      'duration_ms',
      'input_tokens',
    ],
    ...[
      'output_tokens',
      'error_code',
      'tool',
      'input_bytes',
      'effect',
      'step',
      'promoted',
      'expires_at',
      'trust_output',
      'output_bytes',
    ],
    ...[
      'label',
      'refs',
      'language',
      'outcome',
      'exit_code',
      'code_bytes',
      'stdout_bytes',
      'stderr_bytes',
      'files',
      'operation',
      'slot',
    ],
    ...[
      'warm',
      'container_seconds',
      'version',
      'changed',
      'layer',
      'feature',
      'enabled',
      'kind',
      'format',
      'size',
      'entries',
      'keys',
      'of',
    ],
    ...['piece', 'pieces', 'model', 'effort', 'created', 'lets_read'],
    ...['every_seconds', 'fires'],
    ...['depth', 'task_bytes', 'reported', 'report_bytes'],
    ...['when', 'messages', 'left_out', 'tokens_before', 'tokens_after', 'summary_tokens', 'approximate', 'parts'],
    ...[
      'rows',
      'content',
      'protects_from',
      'first',
      'before',
      'rejection',
      'limit',
      'percent',
      'change',
      'paused',
      'next_index',
    ],
    ...['service', 'purpose', 'port', 'addresses', 'sent_bytes', 'received_bytes'],
  ],
};

/** @throws Error for a field nobody gave a class. */
export const privacyOf = (field: string): PrivacyClass => {
  const found = PRIVACY_CLASSES.find((name) => CLASS_OF_FIELD[name].includes(field));
  if (found === undefined)
    throw new Error(`The field "${field}" has no privacy class: give it one in libs/events/src/privacy.ts.`);
  return found;
};

export interface EventSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required?: readonly string[];
}

/** JSON Schema of an event's data, each field with its class as `x-privacy`. */
export const schemaOfEvent = (type: EventType): EventSchema => {
  const { $schema: _draft, ...schema } = z.toJSONSchema(EVENTS[type], { io: 'output' }) as unknown as EventSchema & {
    $schema: string;
  };
  const properties = Object.fromEntries(
    Object.entries(schema.properties).map(([field, shape]) => [field, { ...shape, 'x-privacy': privacyOf(field) }]),
  );
  return { ...schema, properties };
};

export const eventSchemas = (): Record<string, EventSchema> =>
  Object.fromEntries((Object.keys(EVENTS) as EventType[]).map((type) => [type, schemaOfEvent(type)]));
