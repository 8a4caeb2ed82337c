/** Reads the key that signs checkpoints, once, at the start. It must never be written, logged or made up where it is missing. */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** @throws Error with the file's name when it holds no Ed25519 private key (PKCS#8 PEM). */
export const readSigningKey = (keyFile: string): KeyObject => {
  let key: KeyObject;
  try {
    key = createPrivateKey(readFileSync(keyFile));
  } catch (cause) {
    throw new Error(`The signing key ${keyFile} cannot be read. It must be an Ed25519 private key in PKCS#8 PEM.`, {
      cause,
    });
  }
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new Error(
      `The signing key ${keyFile} is of type ${key.asymmetricKeyType ?? 'unknown'}; checkpoints need Ed25519.`,
    );
  }
  return key;
};
