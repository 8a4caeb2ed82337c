/** Reads the key that wraps others, once, at the start. It must never be logged or made up where it is missing. */
import { readFileSync } from 'node:fs';

const KEY_BYTES = 32;

/** @throws Error naming the file when it does not hold 32 bytes in base64. */
export const readContentKey = (file: string): Uint8Array => {
  let bytes: Buffer;
  try {
    bytes = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  } catch (cause) {
    throw new Error(`The content key ${file} cannot be read. It must hold 32 random bytes in base64.`, { cause });
  }
  if (bytes.length !== KEY_BYTES)
    throw new Error(`The content key ${file} has ${bytes.length} bytes; it must hold 32 random bytes in base64.`);
  return bytes;
};
