/** Sealing of content (D29): whoever has a person's public key can seal, only who has the private one can open. It must never put content into an error. */
import { CompactEncrypt, compactDecrypt, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';

/** ECDH-ES over P-256 gives each piece a key of its own; nothing of it is kept by who sealed. */
const ALGORITHM = 'ECDH-ES';
const CURVE = 'P-256';

export interface ContentKeyPair {
  readonly publicJwk: string;
  readonly privateJwk: string;
}

export const createContentKeyPair = async (): Promise<ContentKeyPair> => {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { crv: CURVE, extractable: true });
  return {
    publicJwk: JSON.stringify(await exportJWK(publicKey)),
    privateJwk: JSON.stringify(await exportJWK(privateKey)),
  };
};

/** A compact JWE. `publicJwk` as createContentKeyPair gave it. */
export const sealContent = async (content: string, publicJwk: string, keyId: string): Promise<string> => {
  const key = await importJWK(JSON.parse(publicJwk) as JWK, ALGORITHM);
  return new CompactEncrypt(new TextEncoder().encode(content))
    .setProtectedHeader({ alg: ALGORITHM, enc: 'A256GCM', kid: keyId })
    .encrypt(key);
};

/** @throws Error when it was not sealed for that key, or was changed. */
export const openContent = async (jwe: string, privateJwk: string): Promise<string> => {
  const key = await importJWK(JSON.parse(privateJwk) as JWK, ALGORITHM);
  const { plaintext } = await compactDecrypt(jwe, key, { keyManagementAlgorithms: [ALGORITHM] });
  return new TextDecoder().decode(plaintext);
};

/** What a message of the bus takes well below its limit. */
export const PIECE_CHARACTERS = 384 * 1024;
