/** Looks for a word in bytes however it is written: as it is, in UTF-16, hex, percent, JSON escapes, and base64 at any alignment. */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

type Needle = readonly [encoding: string, bytes: Buffer];

/** The part of the base64 text of `word` that is the same whatever stands before and after it. */
const base64At = (word: string, alignment: number): string => {
  const text = Buffer.concat([Buffer.alloc(alignment), Buffer.from(word)]).toString('base64').replace(/=+$/, '');
  const begin = Math.ceil((alignment * 8) / 6);
  const end = Math.floor(((alignment + Buffer.byteLength(word)) * 8) / 6);
  return text.slice(begin, end);
};

const eachByte = (word: string, write: (hex: string) => string): string => [...Buffer.from(word)].map((byte) => write(byte.toString(16).padStart(2, '0'))).join('');

export const needlesOf = (word: string): readonly Needle[] => {
  const texts: [string, string][] = [
    ['as it is', word],
    ['reversed', [...word].reverse().join('')],
    ['hex', eachByte(word, (hex) => hex)],
    ['HEX', eachByte(word, (hex) => hex.toUpperCase())],
    ['percent', eachByte(word, (hex) => `%${hex}`)],
    ['PERCENT', eachByte(word, (hex) => `%${hex.toUpperCase()}`)],
    ['JSON escapes', eachByte(word, (hex) => `\\u00${hex}`)],
    ...[0, 1, 2].flatMap((alignment): [string, string][] => {
      const text = base64At(word, alignment);
      const safe = text.replaceAll('+', '-').replaceAll('/', '_');
      return [[`base64 at ${alignment}`, text], ...(safe === text ? [] : [[`base64url at ${alignment}`, safe] as [string, string]])];
    }),
  ];
  return [...texts.map(([encoding, text]): Needle => [encoding, Buffer.from(text)]), ['UTF-16', Buffer.from(word, 'utf16le')]];
};

/** The encodings a word was found in. */
export const findIn = (bytes: Uint8Array | string, needles: readonly Needle[]): string[] => {
  const buffer = typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return needles.filter(([, needle]) => buffer.includes(needle)).map(([encoding]) => encoding);
};

const CHUNK = 4 * 1024 * 1024;
const OVERLAP = 4096;

/** What of the needles lies in the memory of a process now. For root only. */
export const findInMemory = (pid: number, needles: readonly Needle[]): string[] => {
  const found = new Set<string>();
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  const chunk = Buffer.alloc(CHUNK);
  try {
    for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
      const [, from = '', to = '', rights = '', file = ''] = /^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \S+\s*(.*)$/.exec(line) ?? [];
      // What it was told lies where it can write, and never in a file of the system.
      if (!rights.startsWith('rw') || file.startsWith('[v')) continue;
      const end = parseInt(to, 16);
      for (let at = parseInt(from, 16); at < end; at += CHUNK - OVERLAP) {
        let read = 0;
        try {
          read = readSync(memory, chunk, 0, Math.min(CHUNK, end - at), at);
        } catch {
          // Reserved and never touched.
        }
        for (const encoding of findIn(chunk.subarray(0, read), needles)) found.add(encoding);
        if (at + CHUNK >= end) break;
      }
    }
  } finally {
    closeSync(memory);
  }
  return [...found];
};
