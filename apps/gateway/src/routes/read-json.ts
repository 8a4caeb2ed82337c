/** Bodies as JSON with one meaning for every reader. It must never let through a text that a store cannot keep. */
import { Fault } from '@bravo/faults';
import { readStrictJson } from '@bravo/policy';

/** @throws Fault invalid_argument for bytes that are no UTF-8: they would be stored as something nobody wrote. */
export const readText = (body: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw new Fault('invalid_argument', 'The body is not valid UTF-8.', { meta: { field: 'body' } });
  }
};

/** @throws Fault invalid_argument naming line and column: no JSON, a key that is there twice, nested too deep. */
export const readJson = (body: Uint8Array): unknown => {
  const reading = readStrictJson(readText(body));
  if (reading.ok) return reading.value;
  throw new Fault('invalid_argument', `The body is not JSON that can be read: ${reading.text}.`, {
    meta: { field: 'body' },
  });
};

/** Postgres keeps no U+0000 in a text. @throws Fault invalid_argument naming the field that holds one. */
export const refuseNul = (value: unknown, noun: string, path: readonly string[] = []): void => {
  if (typeof value === 'string' && value.includes('\0')) throw nulIn(noun, path);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (key.includes('\0')) throw nulIn(noun, [...path, key.replaceAll('\0', '\\u0000')]);
    refuseNul(member, noun, [...path, key]);
  }
};

const nulIn = (noun: string, path: readonly string[]): Fault => {
  const field = path.join('.') || 'body';
  return new Fault('invalid_argument', `The ${noun} "${field}" holds the character U+0000, which no text may hold.`, {
    meta: { field },
  });
};
