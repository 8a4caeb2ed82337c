/** Tells text from bytes and counts its lines; it decides nothing about trust. */

const SNIFFED_BYTES = 8192;
const CONTROL_SHARE = 0.3;

/** Binary: a NUL, or more than 30 % control characters, in the first 8192 bytes, or no UTF-8. */
export const isText = (content: Uint8Array): boolean => {
  const head = content.subarray(0, SNIFFED_BYTES);
  let controls = 0;
  for (const byte of head) {
    if (byte === 0) return false;
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 12 && byte !== 27) controls += 1;
  }
  if (head.length > 0 && controls / head.length > CONTROL_SHARE) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content);
    return true;
  } catch {
    return false;
  }
};

export const countLines = (content: Uint8Array): number => {
  if (content.length === 0) return 0;
  let lines = content.at(-1) === 10 ? 0 : 1;
  for (const byte of content) if (byte === 10) lines += 1;
  return lines;
};

/** Undecodable bytes become U+FFFD and NUL becomes its symbol: neither a database nor a model takes it. */
export const toDisplayText = (content: Uint8Array): string =>
  new TextDecoder('utf-8').decode(content).replaceAll('\u0000', '\u2400');

export const plural = (count: number, singular: string, more = `${singular}s`): string =>
  `${count} ${count === 1 ? singular : more}`;
