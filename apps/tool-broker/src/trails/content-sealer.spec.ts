/** Sealed content: in pieces that an event takes, whatever its length, and whole again for who may open it. */
import { describe, expect, it } from '@jest/globals';
import { createContentKeyPair, openContent, PIECE_CHARACTERS } from '@bravo/events/sealing/seal-content';
import { createContentSealer } from './content-sealer.client.ts';

describe('sealed content', () => {
  it.each([0, 1, 219_000, 221_000, 240_000, 295_000, 300_000, 1_500_000])(
    'of %d bytes is in pieces that an event takes, and whole again when opened',
    async (length) => {
      const { publicJwk, privateJwk } = await createContentKeyPair();
      const getSealingKey = () => Promise.resolve({ keyId: 'key_1', publicJwk });
      const seal = createContentSealer({ getSealingKey }, Date.now);
      const content = 'é'.repeat(Math.floor(length / 2)) + 'x'.repeat(length % 2);
      const { pieces } = await seal('ws_1', 'usr_1', content);
      expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(PIECE_CHARACTERS);
      const opened = await Promise.all(pieces.map((piece) => openContent(piece, privateJwk)));
      expect(Buffer.concat(opened.map((piece) => Buffer.from(piece, 'base64'))).toString()).toBe(content);
    },
  );
});
