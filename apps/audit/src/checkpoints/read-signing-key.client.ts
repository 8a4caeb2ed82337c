/** Reads the keys of checkpoints, once, at the start. They must never be written, logged or made up where they are missing. */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** @throws Error with the file's name when it holds no Ed25519 private key (PKCS#8 PEM). */
export const readSigningKey = (keyFile: string): KeyObject =>
  readKey(keyFile, 'private key in PKCS#8 PEM', (pem) => createPrivateKey(pem));

/** @throws Error with the file's name when it holds no Ed25519 public key (SPKI PEM); a private one is read for its public half. */
export const readRetiredKey = (keyFile: string): KeyObject =>
  readKey(keyFile, 'public key in SPKI PEM', (pem) => createPublicKey(pem));

const readKey = (keyFile: string, kind: string, read: (pem: Buffer) => KeyObject): KeyObject => {
  let key: KeyObject;
  try {
    key = read(readFileSync(keyFile));
  } catch (cause) {
    throw new Error(`The signing key ${keyFile} cannot be read. It must be an Ed25519 ${kind}.`, { cause });
  }
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new Error(
      `The signing key ${keyFile} is of type ${key.asymmetricKeyType ?? 'unknown'}; checkpoints need Ed25519.`,
    );
  }
  return key;
};
