/** Wraps private keys with the key of the machine (AES-256-GCM), each bound to whose it is: a row moved to another person opens nothing. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface KeyWrapper {
  wrap(secret: string, owner: string): string;
  /** @throws Error when it was wrapped for somebody else, with another key, or was changed. */
  unwrap(wrapped: string, owner: string): string;
}

/** `key` has 32 bytes. */
export const createKeyWrapper = (key: Uint8Array): KeyWrapper => ({
  wrap(secret, owner) {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
  },
  unwrap(wrapped, owner) {
    const bytes = Buffer.from(wrapped, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(owner))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  },
});
