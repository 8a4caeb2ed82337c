/** Seals what is quarantined with a key of its conversation's own (AES-256-GCM). Guarantees that sealed bytes open only in the place they were sealed for, and not at all once the key is gone. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { Fault } from '@bravo/faults';

export interface ContentVault {
  /** A fresh key, wrapped. */
  newKey(conversationId: string): Uint8Array<ArrayBuffer>;
  seal(wrappedKey: Uint8Array, place: ContentPlace, content: Uint8Array): Uint8Array<ArrayBuffer>;
  /** The same for the same bytes in one conversation, and nothing to anybody without its key. Hex. */
  fingerprint(wrappedKey: Uint8Array, place: ContentPlace, content: Uint8Array): string;
  /** @throws Fault internal when the bytes were changed, moved, or sealed with another key. */
  open(wrappedKey: Uint8Array, place: ContentPlace, sealed: Uint8Array): Buffer;
}

export interface ContentPlace {
  readonly conversationId: string;
  /** `slot:3`, `preview:apr_…`: no two contents of a conversation have the same. */
  readonly name: string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const KEY_BYTES = 32;

export const createContentVault = (key: Uint8Array): ContentVault => {
  if (key.length !== KEY_BYTES) throw new Error(`The slot key must have ${KEY_BYTES} bytes, it has ${key.length}.`);
  const unwrap = (conversationId: string, wrapped: Uint8Array): Buffer =>
    decrypt(key, `key:${conversationId}`, wrapped);
  return {
    newKey: (conversationId) => encrypt(key, `key:${conversationId}`, randomBytes(KEY_BYTES)),
    seal: (wrapped, { conversationId, name }, content) =>
      encrypt(unwrap(conversationId, wrapped), `${conversationId}/${name}`, content),
    fingerprint: (wrapped, { conversationId, name }, content) =>
      createHmac('sha256', unwrap(conversationId, wrapped))
        .update(`${conversationId}/${name}\0`)
        .update(content)
        .digest('hex'),
    open: (wrapped, { conversationId, name }, sealed) =>
      decrypt(unwrap(conversationId, wrapped), `${conversationId}/${name}`, sealed),
  };
};

const encrypt = (key: Uint8Array, place: string, content: Uint8Array): Uint8Array<ArrayBuffer> => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
  return Uint8Array.from(Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]));
};

const decrypt = (key: Uint8Array, place: string, sealed: Uint8Array): Buffer => {
  try {
    const options = { authTagLength: TAG_BYTES };
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), options);
    decipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch (cause) {
    throw new Fault('internal', 'Quarantined content cannot be opened.', { cause });
  }
};
