/** File names out of a sandbox are bytes somebody hostile chose: as text only when they are clean, else as visible escapes. */

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The name as text when it is valid UTF-8 without control, bidirectional and invisible characters; else undefined. */
export const cleanName = (name: Uint8Array): string | undefined => {
  let text: string;
  try {
    text = decoder.decode(name);
  } catch {
    return undefined;
  }
  // TextDecoder drops a leading byte-order mark, so a round trip decides; \p{C} also covers bidi controls and unassigned code points.
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text) || Buffer.byteLength(text) !== name.length) return undefined;
  return text;
};

/** Always printable ASCII plus clean text: every other byte as \xNN. */
export const shownName = (name: Uint8Array): string =>
  cleanName(name) ??
  Array.from(name, (byte) =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, '0')}`,
  ).join('');
