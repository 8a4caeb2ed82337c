/** C2SP signed notes and checkpoints. Guarantees that a note counts only under a key that was given; what a note says of itself it must never believe. */
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { Head } from './merkle.ts';

const ED25519 = 1;
const COSIGNATURE = 4;
const SPKI_ED25519 = Buffer.from('302a300506032b6570032100', 'hex');

export interface VerifierKey {
  readonly text: string;
  readonly name: string;
  readonly id: string;
  readonly type: number;
  readonly key: KeyObject;
}

/** `name+id+base64`. @throws Error saying that it is none. */
export const readVerifierKey = (text: string): VerifierKey => {
  const [, name = '', id = '', encoded = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text.trim()) ?? [];
  const typed = Buffer.from(encoded, 'base64');
  const digest = createHash('sha256').update(`${name}\n`).update(typed).digest('hex');
  const type = typed[0] ?? 0;
  if (typed.length !== 33 || (type !== ED25519 && type !== COSIGNATURE) || digest.slice(0, 8) !== id)
    throw new Error(`"${text}" is not a verifier key: it looks like name+id+key, as the server tells it.`);
  const der = Buffer.concat([SPKI_ED25519, typed.subarray(1)]);
  return { text: text.trim(), name, id, type, key: createPublicKey({ key: der, format: 'der', type: 'spki' }) };
};

export interface Checkpoint extends Head {
  readonly origin: string;
  readonly note: string;
  /** Lines after the root: what else was signed. */
  readonly extension: readonly string[];
  /** Those of the keys given that signed it. */
  readonly signers: readonly VerifierKey[];
}

/** @throws Error when it is no checkpoint at all; one that nobody trusted signed has no signers. */
export const readCheckpoint = (note: string, keys: readonly VerifierKey[]): Checkpoint => {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) throw new Error('it is no signed note');
  const text = note.slice(0, end + 1);
  const [origin = '', size = '', encoded = ''] = text.split('\n');
  const root = Buffer.from(encoded, 'base64');
  if (!/^(0|[1-9]\d{0,15})$/.test(size) || root.length !== 32 || root.toString('base64') !== encoded)
    throw new Error('it is no checkpoint');
  const lines = note.slice(end + 2, -1).split('\n');
  const signers = keys.filter((key) => lines.some((line) => isSignedBy(key, line, text)));
  return { origin, size: Number(size), root, note, extension: text.slice(0, -1).split('\n').slice(3), signers };
};

const isSignedBy = ({ name, id, type, key }: VerifierKey, line: string, text: string): boolean => {
  const [dash, signer, encoded = '', ...rest] = line.split(' ');
  if (dash !== '—' || signer !== name || rest.length > 0) return false;
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.subarray(0, 4).toString('hex') !== id) return false;
  if (type === ED25519) return bytes.length === 68 && verify(null, Buffer.from(text), key, bytes.subarray(4));
  if (bytes.length !== 76) return false;
  const signed = `cosignature/v1\ntime ${bytes.readBigUInt64BE(4)}\n${text}`;
  return verify(null, Buffer.from(signed), key, bytes.subarray(12));
};
