/** Brings the gateway's answers into the page's shapes (64-bit numbers, JSON text, absent members); it must never invent a permission or a label. */
import { isRecord, number, text, toolInput } from '../conversation/read-event-data.ts';
import type {
  Approval,
  Ask,
  AuditEntry,
  ConversationDetail,
  Message,
  SlotContent,
  SlotRef,
  ToolCall,
} from './contract.ts';

/** The list under its name, under `items`, or the answer itself. */
export function readList<T>(answer: unknown, name: string): T[] {
  const list = Array.isArray(answer) ? answer : isRecord(answer) ? (answer[name] ?? answer['items']) : [];
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
    input: toolInput(row['input'] ?? row['input_json']),
    why: text(row['why']),
    status: text(row['status']),
    asks: readAsks(row['asks']),
    trust_output_offered: row['trust_output_offered'] === true,
    call_digest: text(row['call_digest']),
    expires_at: text(row['expires_at']),
    decided_by: text(row['decided_by']),
    decided_at: text(row['decided_at']),
  };
}

export function readToolCall(value: unknown): ToolCall {
  const row = isRecord(value) ? value : {};
  return {
    id: text(row['id']),
    tool: text(row['tool']),
    input: toolInput(row['input'] ?? row['input_json']),
    why: text(row['why']),
    status: text(row['status']),
    output: text(row['output']),
    refs: readList<SlotRef>(row['refs'], 'refs'),
    label: isRecord(row['label'])
      ? { integrity: text(row['label']['integrity']), confidentiality: text(row['label']['confidentiality']) }
      : null,
    duration_ms: number(row['duration_ms']) ?? 0,
    created_at: text(row['created_at']),
    approval: isRecord(row['approval']) ? readApproval(row['approval']) : null,
    reasons: readAsks(row['reasons']),
  };
}

export function readConversationDetail(value: unknown): ConversationDetail {
  const row = isRecord(value) ? value : {};
  return {
    conversation: (isRecord(row['conversation'])
      ? row['conversation']
      : row) as unknown as ConversationDetail['conversation'],
    messages: readList<Message>(row['messages'], 'messages'),
    approvals: readList<unknown>(row['approvals'] ?? row['open_approvals'], 'approvals').map(readApproval),
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
      data: asRecord(toolInput(row['data'] ?? row['data_json'])),
    }));
}

function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** A slot's bytes come raw, or as JSON with `content` (base64 when `encoding` says so). They are only ever shown as text. */
export async function readSlot(response: Response, slot: number): Promise<SlotContent> {
  const empty: SlotRef = { number: slot, origin: '', lines: 0, bytes: 0, kind: '' };
  if (!(response.headers.get('content-type') ?? '').includes('application/json')) {
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { slot: { ...empty, bytes: bytes.byteLength }, text: decode(bytes) };
  }
  const body: unknown = await response.json();
  const row = isRecord(body) ? body : {};
  const described = isRecord(row['slot']) ? row['slot'] : row;
  const content = text(row['text'] ?? row['content']);
  const decoded =
    row['encoding'] === 'base64' || row['content_base64'] !== undefined
      ? decode(fromBase64(text(row['content_base64'] ?? row['content'])))
      : content;
  return {
    slot: {
      number: slot,
      origin: text(described['origin']),
      lines: number(described['lines']) ?? 0,
      bytes: number(described['bytes']) ?? 0,
      kind: text(described['kind']),
    },
    text: decoded,
  };
}

function fromBase64(value: string): Uint8Array {
  const binary = atob(value);
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes);
}
