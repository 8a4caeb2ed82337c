/** Canonical JSON (RFC 8785). Guarantees one spelling per value, so that equal values have equal digests; it must never spell a value that JSON or Unicode cannot carry. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Deeper than any honest call; keeps a hostile one from exhausting the stack. */
const MAX_DEPTH = 100;

/** Says what has no canonical spelling, without repeating the value. */
export class NotCanonicalError extends Error {
  override readonly name = 'NotCanonicalError';
}

/**
 * The canonical spelling of a plain JSON value.
 * @throws NotCanonicalError for a lone surrogate, a number that is not finite, `undefined`, a bigint, a function, a class instance, or nesting past 100.
 */
export function canonicalJson(value: unknown): string {
  return spell(value, 0);
}

/** SHA-256 of the UTF-8 canonical spelling, lowercase hex. Throws as {@link canonicalJson}. */
export function canonicalDigest(value: unknown): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(value))));
}

function spell(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) throw new NotCanonicalError(`nested deeper than ${MAX_DEPTH} levels`);
  switch (typeof value) {
    case 'boolean':
      return value ? 'true' : 'false';
    case 'number':
      if (!Number.isFinite(value)) throw new NotCanonicalError('a number that is not finite');
      return JSON.stringify(value);
    case 'string':
      return spellString(value);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? spellArray(value, depth) : spellObject(value, depth);
    default:
      throw new NotCanonicalError(`a value of type ${typeof value}, which JSON does not have`);
  }
}

function spellString(text: string): string {
  if (!text.isWellFormed()) throw new NotCanonicalError('a string with half of a surrogate pair');
  return JSON.stringify(text);
}

function spellArray(items: readonly unknown[], depth: number): string {
  // Array.from turns holes into undefined, which is refused; map would skip them.
  return `[${Array.from(items, (item) => spell(item, depth + 1)).join(',')}]`;
}

function spellObject(object: object, depth: number): string {
  if (!isPlain(object)) throw new NotCanonicalError('an object that is not plain');
  const members = Object.entries(object)
    // UTF-16 code units, as RFC 8785 sorts; localeCompare would not.
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${spellString(name)}:${spell(member, depth + 1)}`);
  return `{${members.join(',')}}`;
}

/** An object literal of any realm: its prototype is the root of its chain, or it has none. */
function isPlain(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
