/** Brings the gateway's answers into the page's shapes (absent members, JSON text); it must never invent a permission or a label. */
import { isRecord, number, plan, scope, stepEnds, text, toolInput } from '../conversation/read-event-data.ts';
import type {
  Approval,
  AskingDelegate,
  Delegate,
  Ask,
  AuditEntry,
  ConversationDetail,
  Diagnosis,
  Grant,
  Schedule,
  Message,
  RepositorySettings,
  SlotContent,
  SlotRef,
  ToolCall,
} from './contract.ts';

/** The list under its name; anything else is an empty one. */
export function readList<T>(answer: unknown, name: string): T[] {
  const list = isRecord(answer) ? answer[name] : [];
  return Array.isArray(list) ? (list as T[]) : [];
}

function readAsks(value: unknown): Ask[] {
  return Array.isArray(value)
    ? value.map((ask) =>
        isRecord(ask) ? { code: text(ask['code']), text: text(ask['text']) } : { code: '', text: text(ask) },
      )
    : [];
}

export function readApproval(value: unknown): Approval {
  const row = isRecord(value) ? value : {};
  return {
    id: text(row['id']),
    tool_call_id: text(row['tool_call_id']),
    conversation_id: text(row['conversation_id']),
    tool: text(row['tool']),
    input: toolInput(row['input']),
    why: text(row['why']),
    status: text(row['status']),
    asks: readAsks(row['asks']),
    trust_output_offered: row['trust_output_offered'] === true,
    grant_scope: scope(row['grant_scope']),
    remember_rule: text(row['remember_rule']),
    call_digest: text(row['call_digest']),
    expires_at: text(row['expires_at']),
    decided_by: text(row['decided_by']),
    decided_at: text(row['decided_at']),
    delegate: readAskingDelegate(row['delegate']),
  };
}

export function readAskingDelegate(value: unknown): AskingDelegate | undefined {
  return isRecord(value)
    ? { name: text(value['name']), kind: text(value['kind']), task: text(value['task']) }
    : undefined;
}

export function readDelegate(value: unknown): Delegate {
  const row = isRecord(value) ? value : {};
  const usage = isRecord(row['usage']) ? row['usage'] : {};
  const count = (given: unknown): number => (typeof given === 'number' ? given : 0);
  return {
    conversation_id: text(row['conversation_id']),
    parent_conversation_id: text(row['parent_conversation_id']),
    name: text(row['name']),
    kind: text(row['kind']),
    task: text(row['task']),
    depth: count(row['depth']),
    state: text(row['state']),
    input_tokens: count(usage['input_tokens']),
    output_tokens: count(usage['output_tokens']),
  };
}

/** Lists that are not there are empty ones; "ok" is said in so many words or not at all. */
export function readDiagnosis(value: unknown): Diagnosis {
  const row = isRecord(value) ? value : {};
  return {
    ok: row['ok'] === true,
    layers: readList(row, 'layers'),
    settings: readList(row, 'settings'),
    variables: readList(row, 'variables'),
    providers: readList(row, 'providers'),
    rules: readList(row, 'rules'),
    lists: readList(row, 'lists'),
    findings: readList(row, 'findings'),
  };
}

export function readGrant(value: unknown): Grant {
  const row = isRecord(value) ? value : {};
  return {
    id: text(row['id']),
    tool: text(row['tool']),
    scope: scope(row['scope']) ?? {},
    source: text(row['source']),
    expires_at: text(row['expires_at']),
  };
}

export function readSchedule(value: unknown): Schedule {
  const row = isRecord(value) ? value : {};
  return {
    id: text(row['id']),
    kind: text(row['kind']),
    status: text(row['status']),
    line: text(row['line']),
    every_seconds: number(row['every_seconds']) ?? 0,
    path: text(row['path']),
    fires: number(row['fires']) ?? 0,
    quiet: number(row['quiet']) ?? 0,
    due_at: typeof row['due_at'] === 'string' ? row['due_at'] : null,
    end_text: text(row['end_text']),
  };
}

/** A rule that is no text is none: it could be shown to nobody as what it is. */
export function readRepositorySettings(value: unknown): RepositorySettings {
  const row = isRecord(value) ? value : {};
  const rules = (name: string) => readList<unknown>(row, name).filter((rule) => typeof rule === 'string');
  return {
    found: row['found'] === true,
    trusted: row['trusted'] === true,
    accepted: rules('accepted'),
    proposals: rules('proposals'),
    refused_because: text(row['refused_because']),
  };
}

export function readToolCall(value: unknown): ToolCall {
  const row = isRecord(value) ? value : {};
  return {
    id: text(row['id']),
    tool: text(row['tool']),
    input: toolInput(row['input']),
    why: text(row['why']),
    status: text(row['status']),
    output: text(row['output']),
    refs: readList<SlotRef>(row, 'refs'),
    label: isRecord(row['label'])
      ? { integrity: text(row['label']['integrity']), confidentiality: text(row['label']['confidentiality']) }
      : null,
    duration_ms: number(row['duration_ms']) ?? 0,
    created_at: text(row['created_at']),
    approval: isRecord(row['approval']) ? readApproval(row['approval']) : null,
    reasons: readAsks(row['reasons']),
    step_up: isRecord(row['step_up'])
      ? { required_mode: text(row['step_up']['required_mode']), grant_scope: scope(row['step_up']['grant_scope']) }
      : null,
    plan: plan(row['plan']) ?? null,
    steps: stepEnds(row['steps']),
  };
}

export function readConversationDetail(value: unknown): ConversationDetail {
  const row = isRecord(value) ? value : {};
  return {
    conversation: row['conversation'] as ConversationDetail['conversation'],
    messages: readList<Message>(row, 'messages'),
    messages_before: false,
    approvals: readList<unknown>(row, 'approvals').map(readApproval),
    stream_position: text(row['stream_position']) || '0',
  };
}

export function readTrail(answer: unknown): AuditEntry[] {
  return readList<unknown>(answer, 'entries')
    .filter(isRecord)
    .map((row) => ({
      index: number(row['index']) ?? 0,
      leaf_hash: text(row['leaf_hash']),
      event_id: text(row['event_id']),
      type: text(row['type']),
      actor: text(row['actor']),
      on_behalf_of: text(row['on_behalf_of']),
      conversation_id: text(row['conversation_id']),
      producer: text(row['producer']),
      time: text(row['time']),
      data: isRecord(row['data']) ? row['data'] : {},
    }));
}

/** The bytes as text, for the person's eyes: they are only ever shown. */
export function readSlot(answer: unknown, slot: number): SlotContent {
  const row = isRecord(answer) ? answer : {};
  const described = isRecord(row['slot']) ? row['slot'] : {};
  return {
    slot: {
      number: slot,
      origin: text(described['origin']),
      name: text(described['name']),
      lines: number(described['lines']) ?? 0,
      bytes: number(described['bytes']) ?? 0,
      kind: text(described['kind']),
    },
    text: text(row['text']),
  };
}
