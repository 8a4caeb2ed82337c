/**
 * Every event of the platform, declared once: past tense, digests and sizes, never the content of a slot, file or output.
 * An event that does not fit its schema cannot be written, so the state it tells is not written either.
 */
import { z } from 'zod';

/** Characters of one sealed piece. */
const SEALED_PIECE = 400 * 1024;

const id = z.string().min(1).max(64);
const digest = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);
const text = z.string().max(2_000);
const label = z.strictObject({
  integrity: z.enum(['trusted', 'untrusted']),
  confidentiality: z.enum(['public', 'private']),
});
const reasons = z.array(z.strictObject({ code: z.string().max(64), text })).max(50);
const call = { tool_call_id: id, tool: z.string().max(128) };
/** Content that only audit can open (D29). In pieces where it is too large for one event: then `jwe` is absent and the pieces are events of their own. */
const sealed = z
  .strictObject({ key_id: id, jwe: z.string().max(SEALED_PIECE).optional(), pieces: count.optional() })
  .optional();
/** A connection out of the cluster, as its ticket named it. The host is what a person was shown or an administrator wrote. */
const connection = {
  service: z.string().max(32),
  purpose: z.enum(['fetch', 'model', 'delivery']),
  host: z.string().max(253),
  port: z.int().min(1).max(65_535),
  /** The tool call, provider or delivery that it is for. */
  decision_id: z.string().max(200),
};
/** A delegate and its place in the tree. */
const delegate = {
  conversation_id: id,
  parent_conversation_id: id,
  name: z.string().max(64),
  kind: z.string().max(64),
};
const question = { ...call, approval_id: id, call_digest: digest };

export const EVENTS = {
  'agent.conversation.created': z.strictObject({
    mode: text,
    project_id: text.optional(),
    policy_version: text.optional(),
    title_bytes: count.optional(),
  }),
  'agent.conversation.ended': z.strictObject({ reason: text }),
  'agent.conversation.mode_changed': z.strictObject({ from: text, to: text }),
  'agent.message.received': z.strictObject({
    message_id: id,
    turn_id: id,
    bytes: count,
    digest,
    queued: z.boolean(),
    source: z.enum(['person', 'approval', 'job', 'schedule', 'delegate']),
  }),
  'agent.message.sent': z.strictObject({ message_id: id, turn_id: id, bytes: count, digest, status: text }),
  'agent.turn.finished': z.strictObject({
    turn_id: id,
    status: text,
    duration_ms: count,
    input_tokens: count,
    output_tokens: count,
    error_code: text.optional(),
  }),
  'agent.tool.requested': z.strictObject({ ...call, input_digest: digest, input_bytes: count, sealed }),
  'agent.tool.decided': z.strictObject({
    ...call,
    effect: z.enum(['allow', 'ask', 'deny']),
    step: text,
    reasons,
    rule: text.optional(),
    /** Arguments of a confined read whose private words were let through. */
    promoted: z.array(z.string().max(128)).max(50).optional(),
    policy_version: text,
  }),
  'agent.tool.approval_requested': z.strictObject({ ...question, asks: reasons, expires_at: text }),
  'agent.tool.approved': z.strictObject({ ...question, trust_output: z.boolean() }),
  'agent.tool.denied': z.strictObject({ ...question }),
  'agent.tool.superseded': z.strictObject({ ...question, reason: text }),
  'agent.tool.expired': z.strictObject({ ...question }),
  'agent.tool.executed': z.strictObject({
    ...call,
    approval_id: id.optional(),
    status: z.enum(['completed', 'failed', 'outcome_unknown']),
    duration_ms: count,
    output_digest: digest,
    output_bytes: count,
    label,
    refs: count,
    error_code: text.optional(),
    sealed,
  }),
  /** A piece of what a call was given or gave, sealed. */
  'agent.tool.content_sealed': z.strictObject({
    ...call,
    of: z.enum(['input', 'output']),
    piece: count,
    pieces: count,
    sealed: z.strictObject({ key_id: id, jwe: z.string().max(SEALED_PIECE) }),
  }),
  'agent.code.executed': z.strictObject({
    tool_call_id: id,
    execution_id: id,
    language: text,
    outcome: text,
    exit_code: z.int(),
    duration_ms: count,
    code_digest: digest,
    code_bytes: count,
    stdout_bytes: count,
    stderr_bytes: count,
    files: count,
    // Absent from what an earlier version recorded.
    signal: text.optional(),
    limits_hit: z.array(text).optional(),
    stdout_digest: digest.optional(),
    stderr_digest: digest.optional(),
    file_bytes: count.optional(),
    files_digest: digest.optional(),
    files_left_out: count.optional(),
  }),
  'agent.grant.created': z.strictObject({
    grant_id: id,
    /** The tool. */
    operation: text,
    /** Names of the arguments whose values are granted; the values are in the digest alone. */
    scope: text,
    scope_digest: digest,
    source: z.enum(['person', 'approval', 'step_up']),
    tool_call_id: id.optional(),
    expires_at: text,
  }),
  'agent.grant.revoked': z.strictObject({ grant_id: id, reason: text }),
  /** A loop, goal or watch of a conversation; the line that is asked again is in no event. */
  'agent.schedule.started': z.strictObject({
    schedule_id: id,
    kind: z.enum(['loop', 'goal', 'watch']),
    /** The person's line, or a call of the agent. */
    source: z.enum(['person', 'agent']),
    tool_call_id: id.optional(),
    /** Of a loop: seconds between its turns; 0: they say so themselves. */
    every_seconds: count,
    expires_at: text,
  }),
  /** It asks for a turn; the work's id names the turn's beginning too. */
  'agent.schedule.fired': z.strictObject({
    schedule_id: id,
    kind: z.enum(['loop', 'goal', 'watch']),
    work_id: id,
    fires: count,
  }),
  'agent.schedule.ended': z.strictObject({
    schedule_id: id,
    kind: z.enum(['loop', 'goal', 'watch']),
    reason: text,
    fires: count,
  }),
  'agent.content.quarantined': z.strictObject({
    tool_call_id: id,
    slot: count,
    origin: text,
    bytes: count,
    digest,
    label,
  }),
  'agent.content.released': z.strictObject({
    tool_call_id: id,
    approval_id: id.optional(),
    slot: count.optional(),
    bytes: count,
    digest,
  }),
  /** A person put a file among those of the conversation. The name of a file is content, so its digest stands for it. */
  'agent.file.uploaded': z.strictObject({
    upload_id: id,
    path_digest: digest,
    bytes: count,
    digest,
    created: z.boolean(),
    /** The person let the agent read it. Of a picture or a PDF false, whatever they said. */
    lets_read: z.boolean(),
  }),
  'agent.file.removed': z.strictObject({ path_digest: digest, kind: z.enum(['file', 'link', 'directory']) }),
  /** A person vouched for the file behind a slot: `bytes` and `digest` are of what they were shown. */
  'agent.content.vouched': z.strictObject({ tool_call_id: id, slot: count, bytes: count, digest }),
  'agent.model.chosen': z.strictObject({
    scope: z.enum(['conversation', 'person', 'workspace']),
    /** Empty: the record was taken away. */
    model: z.string().max(300),
    effort: z.string().max(16),
  }),
  /** Older messages stand in the request as a summary (or not at all, of `summary_tokens` 0); the record is not touched. */
  'agent.context.compacted': z.strictObject({
    /** In a request on its way to the model, when a fresh pod was told what had been said, or because the person asked. */
    when: z.enum(['request', 'import', 'asked']),
    model: z.string().max(300),
    messages: count,
    left_out: count,
    tokens_before: count,
    tokens_after: count,
    summary_tokens: count,
    /** At least one of the counts is an estimate. */
    approximate: z.boolean(),
  }),
  /** What the model is told at the head of every request of the conversation, from now on. */
  'agent.instructions.told': z.strictObject({
    version: count,
    digest,
    bytes: count,
    parts: z
      .array(z.strictObject({ source: text, bytes: count, digest: digest.optional(), told: z.boolean() }))
      .max(20),
  }),
  /** In the conversation at the top of the tree. `conversation_id` is the one the delegate works in. */
  'agent.delegate.started': z.strictObject({
    ...delegate,
    depth: count,
    tool_call_id: id,
    task_bytes: count,
    task_digest: digest,
  }),
  /** `told`: the agent above was given the words; else a reference, or nothing where nobody was to be told. */
  'agent.delegate.finished': z.strictObject({
    ...delegate,
    outcome: z.enum(['completed', 'failed', 'cancelled', 'interrupted']),
    reported: z.enum(['words', 'reference', 'nothing']),
    duration_ms: count,
    report_bytes: count,
    report_digest: digest,
    input_tokens: count,
    output_tokens: count,
  }),
  'agent.pod.claimed': z.strictObject({ pod_id: id, warm: z.boolean(), duration_ms: count }),
  'agent.pod.released': z.strictObject({ pod_id: id, reason: text, container_seconds: z.number().min(0) }),
  'agent.config.changed': z.strictObject({ version: count, changed: z.array(text).max(20) }),
  'agent.settings.changed': z.strictObject({
    layer: text,
    version: count,
    /** Dotted names of the keys that differ, never a value. */
    changed: z.array(text).max(50).optional(),
  }),
  /** A skill or an agent definition of a workspace or a person was written; version 0: it was deleted. */
  'agent.definition.changed': z.strictObject({
    kind: text,
    layer: text,
    name: text,
    version: count,
    bytes: count,
    digest: digest.optional(),
  }),
  'agent.member.changed': z.strictObject({ user_id: id, from: text, to: text }),
  'agent.feature.changed': z.strictObject({ feature: text, enabled: z.boolean(), reason: text }),
  'agent.token.minted': z.strictObject({
    token_id: id,
    kind: z.enum(['agent', 'api']),
    pod_id: id.optional(),
    reason: text,
  }),
  /** Before anything is sent. `addresses` were checked, and nothing else is connected to. */
  'agent.egress.allowed': z.strictObject({
    connection_id: id,
    ...connection,
    addresses: z.array(z.string().max(45)).max(50),
  }),
  /** An allowed connection without its end was cut off with its process. */
  'agent.egress.ended': z.strictObject({
    connection_id: id,
    outcome: z.enum([
      'ended',
      'bytes_cap',
      'time_cap',
      'idle_cap',
      'reset',
      'unreachable',
      'connect_timeout',
      'stopped',
    ]),
    sent_bytes: count,
    received_bytes: count,
    duration_ms: count,
  }),
  'agent.egress.refused': z.strictObject({ ...connection, reason: text }),
  /** Who looked into the trail of others, and for what; words that were searched for stand there as a digest. */
  'agent.trail.read': z.strictObject({ filter: text, entries: count }),
  'agent.trail.content_opened': z.strictObject({ tool_call_id: id, user_id: id }),
  'agent.person.erased': z.strictObject({ user_id: id, keys: count, reason: text }),
  /** How long rows and sealed content are kept from now on ("400d", or "forever"). */
  'agent.retention.changed': z.strictObject({ rows: text, content: text }),
  /** Nothing from entry `protects_from` on is pruned, and nothing of that person erased, while it stands. */
  'agent.hold.placed': z.strictObject({
    hold_id: id,
    scope: z.enum(['workspace', 'person', 'conversation']),
    user_id: id.optional(),
    conversation_id: id.optional(),
    protects_from: count,
    reason: text,
  }),
  'agent.hold.lifted': z.strictObject({ hold_id: id, reason: text }),
  /** Entries `first` to before `size` went, all recorded before the time `before`; what remains is verified from a signed stub. */
  'agent.trail.pruned': z.strictObject({ first: count, size: count, before: text }),
  /** Somebody must look at the trail of this workspace. */
  'agent.trail.alerted': z.strictObject({ kind: z.string().max(64), reason: text }),
  /** Most of a limit is used; told once for each time the limit begins anew. */
  'agent.budget.near': z.strictObject({ limit: text, percent: z.number().min(0) }),
  /** A message no log could take was tried again. */
  'agent.rejection.retried': z.strictObject({ rejection: count, outcome: text }),
  /** Keys of sealed content whose time was over. */
  'agent.content.expired': z.strictObject({ user_id: id, keys: count, before: text }),
  /** Where the trail is delivered to was set, changed or ended by the actor; its secrets are nowhere told. */
  'agent.destination.changed': z.strictObject({
    destination_id: id,
    change: z.enum(['added', 'changed', 'removed']),
    kind: z.enum(['syslog', 'webhook', 's3']),
    host: z.string().max(253),
    format: text,
    paused: z.boolean(),
    /** The entry it goes on from. */
    next_index: count,
  }),
  'agent.trail.exported': z.strictObject({ format: text, filter: text, size: count }),
  'agent.token.revoked': z.strictObject({ token_id: id, kind: z.enum(['agent', 'api']), reason: text }),
} as const;

export type EventType = keyof typeof EVENTS;
export type EventData<T extends EventType> = z.output<(typeof EVENTS)[T]>;
