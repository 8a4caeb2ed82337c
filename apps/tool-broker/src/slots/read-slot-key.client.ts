/** Reads the key that wraps the keys of quarantined content; it stays in memory and out of every log. */
import { readFileSync } from 'node:fs';
import { KEY_BYTES } from './content-vault.ts';

/** The file holds the key in base64. @throws Error naming the file and what is wrong with it. */
export const readSlotKey = (file: string): Uint8Array => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new Error(`The slot key ${file} (BRAVO_SLOT_KEY_FILE) cannot be read.`, { cause });
  }
  const key = Buffer.from(text, 'base64');
  if (key.length !== KEY_BYTES)
    throw new Error(
      `The slot key ${file} (BRAVO_SLOT_KEY_FILE) must hold ${KEY_BYTES} bytes in base64, it holds ${key.length}.`,
    );
  return key;
};
