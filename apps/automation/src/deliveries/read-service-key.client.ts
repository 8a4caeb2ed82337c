/** The private part of this service's own key, from which other secrets are made; never logged. */
import { readFileSync } from 'node:fs';

/** @throws Error naming the file where it holds no private key. */
export const readServiceKey = (file: string): string => {
  const { d } = JSON.parse(readFileSync(file, 'utf8')) as { d?: string };
  if (typeof d !== 'string' || d === '') throw new Error(`${file} holds no private key.`);
  return d;
};
