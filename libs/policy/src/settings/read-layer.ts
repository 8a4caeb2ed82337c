/** One layer's text to what it says. Guarantees that a layer fails alone and says why; it must never be half read. */
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { LIMITS } from '../limits/limits.ts';
import { type LayerContent, type LayerReader, readDocument } from './read-document.ts';
import { readStrictJson } from './read-strict-json.ts';
import { isJsonObject } from './settings-keys.ts';

const MAX_BYTES = LIMITS['settings-size'].value;

/** Undefined where the layer counts as absent, and the notes then say why. */
export function readLayer(text: string, reader: LayerReader): LayerContent | undefined {
  const { layer, notes } = reader;
  const settings = `The ${layer.name} settings`;
  // No character takes less than a byte, so a text this long need not be encoded to be too large.
  if (text.length > MAX_BYTES || utf8ToBytes(text).length > MAX_BYTES) {
    const problem = `${settings} are larger than ${MAX_BYTES} bytes and were not read. Shorten them.`;
    notes.problems.push({ layer: layer.name, what: 'too-large', text: problem });
    return undefined;
  }
  const reading = readStrictJson(text);
  if (reading.ok && isJsonObject(reading.value)) return readDocument(reading.value, reader);
  const why = reading.ok ? 'they must be one JSON object' : reading.text;
  notes.problems.push({
    layer: layer.name,
    what: 'unparseable',
    text: `${settings} were not read: ${why}.`,
    line: reading.ok ? 1 : reading.line,
  });
  return undefined;
}
