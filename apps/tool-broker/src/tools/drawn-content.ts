/** Bytes for a person's eyes: text as it is, anything else by its size and digest. */
import { createHash } from 'node:crypto';
import type { PreviewContent } from '@bravo/policy';
import { isText } from './text.ts';

export const MAX_DRAWN_BYTES = 4 * 1024 * 1024;

export const drawnContent = (content: Uint8Array): PreviewContent =>
  content.length <= MAX_DRAWN_BYTES && isText(content)
    ? { kind: 'text', text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(content) }
    : {
        kind: 'bytes',
        what: isText(content) ? 'text, too long to be drawn' : 'no text',
        bytes: content.length,
        digest: createHash('sha256').update(content).digest('hex'),
      };
