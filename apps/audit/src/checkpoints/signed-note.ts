/** C2SP signed notes with Ed25519 keys. Guarantees that a text is returned as verified only under a key that was given; it must never trust a key named by the note. */
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

const ED25519 = 0x01;
const KEY_ID_BYTES = 4;
const SIGNATURE_BYTES = 64;
/** SubjectPublicKeyInfo of an Ed25519 key ends with the 32 raw bytes. */
const RAW_KEY_BYTES = 32;

export interface NoteSigner {
  /** Of the current key, hex: tells whose checkpoint a row is. */
  readonly fingerprint: string;
  /** Key names differ per log, so a note of one log never verifies as another's. Signed with every key that still signs, the current first. */
  sign(name: string, text: string): string;
  /** The text of the note, if the current key or one before it signed it under that name. */
  open(name: string, note: string): string | undefined;
  /** Whether the current key did: what only an earlier one signed is no proof of what the log is now. */
  isCurrent(name: string, note: string): boolean;
  /** `<name>+<key id>+<base64 of type and key>`: what public tools verify with. */
  verifierKey(name: string): string;
  /** The current one's and those of the keys before it. */
  verifierKeys(name: string): readonly string[];
}

export interface EarlierKeys {
  /** Private keys that go on signing beside the current one while those who verify learn of it. */
  readonly overlapping?: readonly KeyObject[];
  /** Public keys that sign nothing any more; what they signed stays readable. */
  readonly retired?: readonly KeyObject[];
}

/** `privateKey` is an Ed25519 key. */
export const createNoteSigner = (privateKey: KeyObject, earlier: EarlierKeys = {}): NoteSigner => {
  const signing = [privateKey, ...(earlier.overlapping ?? [])].map((key) => ({
    key,
    verifier: verifierOf(createPublicKey(key)),
  }));
  const current = (signing[0] as (typeof signing)[number]).verifier;
  const known = [...signing.map(({ verifier }) => verifier), ...(earlier.retired ?? []).map(verifierOf)];

  return {
    fingerprint: createHash('sha256').update(current.typed).digest('hex').slice(0, 16),
    sign(name, text) {
      requireName(name);
      if (!text.endsWith('\n') || text.includes('\n\n'))
        throw new Error('A note is lines of text that end with a newline.');
      const lines = signing.map(({ key, verifier }) => {
        const signature = Buffer.concat([verifier.id(name), sign(null, Buffer.from(text), key)]);
        return `— ${name} ${signature.toString('base64')}\n`;
      });
      return `${text}\n${lines.join('')}`;
    },
    open: (name, note) => openWith(known, name, note),
    isCurrent: (name, note) => openWith([current], name, note) !== undefined,
    verifierKey: (name) => current.spelled(name),
    verifierKeys: (name) => known.map((verifier) => verifier.spelled(name)),
  };
};

interface Verifier {
  readonly key: KeyObject;
  readonly typed: Buffer;
  id(name: string): Buffer;
  spelled(name: string): string;
}

const verifierOf = (key: KeyObject): Verifier => {
  const raw = key.export({ type: 'spki', format: 'der' }).subarray(-RAW_KEY_BYTES);
  const typed = Buffer.concat([Uint8Array.of(ED25519), raw]);
  const id = (name: string): Buffer =>
    createHash('sha256').update(`${name}\n`).update(typed).digest().subarray(0, KEY_ID_BYTES);
  const spelled = (name: string): string => {
    requireName(name);
    return `${name}+${id(name).toString('hex')}+${typed.toString('base64')}`;
  };
  return { key, typed, id, spelled };
};

const openWith = (verifiers: readonly Verifier[], name: string, note: string): string | undefined => {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) return undefined;
  const text = note.slice(0, end + 1);
  const lines = note.slice(end + 2, -1).split('\n');
  const isOurs = (line: string): boolean => {
    const [dash, signer, encoded, ...rest] = line.split(' ');
    if (dash !== '—' || signer !== name || encoded === undefined || rest.length > 0) return false;
    const bytes = Buffer.from(encoded, 'base64');
    if (bytes.length !== KEY_ID_BYTES + SIGNATURE_BYTES) return false;
    const [id, signature] = [bytes.subarray(0, KEY_ID_BYTES), bytes.subarray(KEY_ID_BYTES)];
    return verifiers.some(
      (verifier) => id.equals(verifier.id(name)) && verify(null, Buffer.from(text), verifier.key, signature),
    );
  };
  return lines.some(isOurs) ? text : undefined;
};

/** A space or a plus would make the note and the verifier key ambiguous. */
const requireName = (name: string): void => {
  if (!/^[^\s+]+$/u.test(name)) throw new Error('A key name is not empty and has neither spaces nor plus signs.');
};
