/** Seals a workspace's secrets with AES-256-GCM; a sealed value opens only under the workspace and name it was sealed for. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Fault } from '@bravo/faults';

export interface SecretPlace {
  readonly workspaceId: string;
  readonly name: string;
}

export interface Sealer {
  seal(place: SecretPlace, value: string): Uint8Array<ArrayBuffer>;
  /** @throws Fault internal when the bytes were changed, moved to another place or sealed with another key. */
  open(place: SecretPlace, sealed: Uint8Array): string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const KEY_BYTES = 32;

/** The length prefix keeps (ab, c) and (a, bc) apart. */
const associatedData = ({ workspaceId, name }: SecretPlace): Buffer =>
  Buffer.from(`${workspaceId.length}:${workspaceId}${name}`);

export const createSealer = (key: Uint8Array): Sealer => {
  if (key.length !== KEY_BYTES) throw new Error(`The sealing key must have ${KEY_BYTES} bytes, it has ${key.length}.`);
  return {
    seal: (place, value) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(associatedData(place));
      return Uint8Array.from(Buffer.concat([nonce, cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()]));
    },
    open: (place, sealed) => {
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), {
          authTagLength: TAG_BYTES,
        });
        decipher.setAAD(associatedData(place)).setAuthTag(sealed.subarray(-TAG_BYTES));
        return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString(
          'utf8',
        );
      } catch (cause) {
        throw new Fault('internal', 'A sealed secret cannot be opened.', { cause });
      }
    },
  };
};
