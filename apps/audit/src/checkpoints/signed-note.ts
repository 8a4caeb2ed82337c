/** C2SP signed notes with Ed25519 keys. Guarantees that a text is returned as verified only under the key asked for; it must never trust a key named by the note. */
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

const ED25519 = 0x01;
const KEY_ID_BYTES = 4;
const SIGNATURE_BYTES = 64;
/** SubjectPublicKeyInfo of an Ed25519 key ends with the 32 raw bytes. */
const RAW_KEY_BYTES = 32;

export interface NoteSigner {
  /** Key names differ per log, so a note of one log never verifies as another's. */
  sign(name: string, text: string): string;
  /** The text of the note, if this signer's key signed it under that name. */
  open(name: string, note: string): string | undefined;
  /** `<name>+<key id>+<base64 of type and key>`: what public tools verify with. */
  verifierKey(name: string): string;
}

/** `privateKey` is an Ed25519 key. */
export const createNoteSigner = (privateKey: KeyObject): NoteSigner => {
  const publicKey = createPublicKey(privateKey);
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-RAW_KEY_BYTES);
  const typed = Buffer.concat([Uint8Array.of(ED25519), raw]);
  const keyId = (name: string): Buffer =>
    createHash('sha256').update(`${name}\n`).update(typed).digest().subarray(0, KEY_ID_BYTES);

  return {
    sign(name, text) {
      requireName(name);
      if (!text.endsWith('\n') || text.includes('\n\n'))
        throw new Error('A note is lines of text that end with a newline.');
      const signature = Buffer.concat([keyId(name), sign(null, Buffer.from(text), privateKey)]);
      return `${text}\n— ${name} ${signature.toString('base64')}\n`;
    },
    open(name, note) {
      const end = note.lastIndexOf('\n\n');
      if (end < 0 || !note.endsWith('\n')) return undefined;
      const text = note.slice(0, end + 1);
      const lines = note.slice(end + 2, -1).split('\n');
      const isOurs = (line: string): boolean => {
        const [dash, signer, encoded, ...rest] = line.split(' ');
        if (dash !== '—' || signer !== name || encoded === undefined || rest.length > 0) return false;
        const bytes = Buffer.from(encoded, 'base64');
        return (
          bytes.length === KEY_ID_BYTES + SIGNATURE_BYTES &&
          bytes.subarray(0, KEY_ID_BYTES).equals(keyId(name)) &&
          verify(null, Buffer.from(text), publicKey, bytes.subarray(KEY_ID_BYTES))
        );
      };
      return lines.some(isOurs) ? text : undefined;
    },
    verifierKey(name) {
      requireName(name);
      return `${name}+${keyId(name).toString('hex')}+${typed.toString('base64')}`;
    },
  };
};

/** A space or a plus would make the note and the verifier key ambiguous. */
const requireName = (name: string): void => {
  if (!/^[^\s+]+$/u.test(name)) throw new Error('A key name is not empty and has neither spaces nor plus signs.');
};
