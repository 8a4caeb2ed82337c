/** Reads fields of an event's data without trusting their types; a missing or odd field becomes the harmless value, never a crash. */
import type { Ask, Label, Mode, Plan, Scope, SlotRef, StepEnd, Usage } from '../api/contract.ts';
import type { CallStatus } from './conversation-state.ts';

type Data = Record<string, unknown>;

export function isRecord(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function text(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  return JSON.stringify(value, null, 2);
}

export function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Milliseconds since the epoch; 0 when the text is no date. */
export function instant(value: unknown): number {
  const parsed = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(parsed) ? 0 : parsed;
}

/** Tool input arrives as an object, or as the JSON text of one. */
export function toolInput(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? {};
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(text) : []);

/** The whole plan or none: a part of one would say that less happens than does. */
export function plan(value: unknown): Plan | undefined {
  if (!isRecord(value) || !Array.isArray(value['steps']) || !value['steps'].every(isRecord)) return undefined;
  return {
    steps: value['steps'].map((step) => ({
      argv: texts(step['argv']),
      program: text(step['program']),
      env: isRecord(step['env']) ? Object.fromEntries(Object.entries(step['env']).map(([k, v]) => [k, text(v)])) : {},
      redirects: (Array.isArray(step['redirects']) ? step['redirects'] : [])
        .filter(isRecord)
        .map((redirect) => ({ op: text(redirect['op']), path: text(redirect['path']) })),
    })),
    connectors: texts(value['connectors']),
    ...(Array.isArray(value['reads']) ? { reads: texts(value['reads']) } : {}),
  };
}

export function stepEnds(value: unknown): StepEnd[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).map((step) => ({
    ran: step['ran'] === true,
    exit_code: number(step['exit_code']) ?? 0,
    signal: text(step['signal']),
    failure: text(step['failure']),
  }));
}

/** What a grant would cover; anything but an object is no offer. */
export function scope(value: unknown): Scope | null {
  return isRecord(value) ? value : null;
}

export function asks(value: unknown): Ask[] {
  if (!Array.isArray(value)) return [];
  return value.map((item) =>
    isRecord(item) ? { code: text(item['code']), text: text(item['text']) } : { code: '', text: text(item) },
  );
}

/** Unknown parts of a label are read as the stricter word. */
export function label(value: unknown): Label | undefined {
  if (!isRecord(value)) return undefined;
  return {
    integrity: value['integrity'] === 'trusted' ? 'trusted' : 'untrusted',
    confidentiality: value['confidentiality'] === 'public' ? 'public' : 'private',
  };
}

export function usage(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  return { input_tokens: number(value['input_tokens']) ?? 0, output_tokens: number(value['output_tokens']) ?? 0 };
}

export function mode(value: unknown): Mode {
  return value === 'coworker' || value === 'voice' ? value : 'ask';
}

const CALL_STATUSES: readonly string[] = [
  'running',
  'needs_approval',
  'completed',
  'failed',
  'denied',
  'refused',
  'expired',
  'outcome_unknown',
] satisfies CallStatus[];

/** What a call came to, as the server says it; a word the page does not know is an outcome nobody knows. */
export function callStatus(value: unknown): CallStatus {
  const said = text(value);
  return CALL_STATUSES.includes(said) ? (said as CallStatus) : 'outcome_unknown';
}

/** The references a result names, as the server lists them. */
export function slotRefs(listed: unknown): SlotRef[] {
  const refs = Array.isArray(listed)
    ? listed.filter(isRecord).map((ref) => ({
        number: number(ref['number']) ?? 0,
        origin: text(ref['origin']),
        name: text(ref['name']),
        lines: number(ref['lines']) ?? 0,
        bytes: number(ref['bytes']) ?? 0,
        kind: text(ref['kind']),
        label: label(ref['label']) ?? null,
      }))
    : [];
  return refs.filter((ref) => ref.number > 0);
}
