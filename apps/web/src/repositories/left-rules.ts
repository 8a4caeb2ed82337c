/** Remembers in this browser which proposed rules a person left, each for one conversation; it holds digests only, allows nothing and withdraws nothing, and where there is no storage they wait again after a reload. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

const KEY = 'bravo.left-rules';
/** The oldest are forgotten, which only shows them again. */
const MOST = 500;

export type Kept = Pick<Storage, 'getItem' | 'setItem'>;

/** Those of `rules` that were left in this conversation. */
export function leftOf(conversation: string, rules: readonly string[], kept = storage()): readonly string[] {
  const known = new Set(read(kept));
  return rules.filter((rule) => known.has(digestOf(conversation, rule)));
}

export function leaveRule(conversation: string, rule: string, kept = storage()): void {
  const digest = digestOf(conversation, rule);
  write([...read(kept).filter((known) => known !== digest), digest].slice(-MOST), kept);
}

export function showAgain(conversation: string, rules: readonly string[], kept = storage()): void {
  const again = new Set(rules.map((rule) => digestOf(conversation, rule)));
  write(
    read(kept).filter((known) => !again.has(known)),
    kept,
  );
}

function digestOf(conversation: string, rule: string): string {
  // As JSON no two pairs are spelled alike, and a lone surrogate has a spelling too.
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify([conversation, rule]))));
}

function read(kept: Kept | undefined): readonly string[] {
  try {
    const value: unknown = JSON.parse(kept?.getItem(KEY) ?? '[]');
    return Array.isArray(value) ? value.filter((digest) => typeof digest === 'string') : [];
  } catch {
    return [];
  }
}

function write(digests: readonly string[], kept: Kept | undefined): void {
  try {
    kept?.setItem(KEY, JSON.stringify(digests));
  } catch {
    // Full or forbidden: they wait again after a reload.
  }
}

function storage(): Kept | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}
