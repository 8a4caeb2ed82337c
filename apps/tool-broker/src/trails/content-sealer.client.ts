/** Seals what a call is given and gives before it leaves the broker (D29): the broker can seal, only audit can open. It must never let a call go on whose content could not be sealed. */
import type { GrpcClient, Subject } from '@bravo/chassis';
import { PIECE_CHARACTERS, sealContent } from '@bravo/events/sealing/seal-content';
import { Fault } from '@bravo/faults';
import type { AuditServiceService } from '@bravo/proto/audit';
import type { ContentSealer, SealedContent } from './content-sealer.ts';

/** How long a key is used without asking whether it still is the one. */
const FRESH_MS = 10 * 60_000;
/** How long an older one does while audit is away. */
const STALE_MS = 60 * 60_000;
const MOST_KEYS = 5_000;
/** Bytes of one piece. Base64 within and base64 of the JWE around it make 16 characters of 9 bytes, and it has a header. */
const PIECE_CONTENT = Math.floor((PIECE_CHARACTERS * 9) / 16) - 1_024;

interface Kept {
  readonly keyId: string;
  readonly publicJwk: string;
  readonly at: number;
}

export const createContentSealer = (
  audit: Pick<GrpcClient<typeof AuditServiceService>, 'getSealingKey'>,
  now: () => number,
): ContentSealer => {
  const kept = new Map<string, Kept>();

  const keyOf = async (workspaceId: string, userId: string): Promise<Kept> => {
    const name = `${workspaceId} ${userId}`;
    const known = kept.get(name);
    if (known && now() - known.at < FRESH_MS) return known;
    try {
      const subject: Subject = { userId: 'service:broker', workspaceId, role: '', permissions: [] };
      const { keyId, publicJwk } = await audit.getSealingKey({ userId }, { subject, timeoutMs: 3_000 });
      if (kept.size >= MOST_KEYS) kept.clear();
      const key = { keyId, publicJwk, at: now() };
      kept.set(name, key);
      return key;
    } catch {
      if (known && now() - known.at < STALE_MS) return known;
      throw new Fault(
        'trail_unavailable',
        'What a tool is given is kept sealed, and the key for that cannot be had just now. Nothing was done; try again soon.',
      );
    }
  };

  return async (workspaceId, userId, content): Promise<SealedContent> => {
    const { keyId, publicJwk } = await keyOf(workspaceId, userId);
    const pieces: string[] = [];
    const bytes = Buffer.from(content);
    // Cut between bytes: the pieces are put together again before anybody reads them as text.
    for (let at = 0; at === 0 || at < bytes.length; at += PIECE_CONTENT)
      pieces.push(await sealContent(bytes.subarray(at, at + PIECE_CONTENT).toString('base64'), publicJwk, keyId));
    return { keyId, pieces };
  };
};
