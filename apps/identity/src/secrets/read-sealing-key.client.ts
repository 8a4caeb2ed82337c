/** Reads the key that seals secrets from its file; the key stays in memory and out of every log. */
import { readFileSync } from 'node:fs';
import { KEY_BYTES } from './seal.ts';

/** The file holds the key in base64. @throws Error naming the file and what is wrong with it. */
export const readSealingKey = (file: string): Uint8Array => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new Error(`The sealing key ${file} (BRAVO_SEALING_KEY_FILE) cannot be read.`, { cause });
  }
  const key = Buffer.from(text, 'base64');
  if (key.length !== KEY_BYTES) {
    throw new Error(
      `The sealing key ${file} (BRAVO_SEALING_KEY_FILE) must hold ${KEY_BYTES} bytes in base64, it holds ${key.length}.`,
    );
  }
  return key;
};
