/** Invalidations as core NATS messages `identity.invalidate.<workspace>`; a lost one only means a cache lives out its second. */
import type { Bus } from '@bravo/events';
import type { Logger } from '@bravo/chassis';
import type { Invalidation } from './invalidation.ts';

export const createInvalidation = (bus: Pick<Bus, 'announce'>, logger: Logger): Invalidation => ({
  announce: (workspaceId, { userId, tokenId }) => {
    const body = JSON.stringify({
      ...(userId ? { user_id: userId } : {}),
      ...(tokenId ? { token_id: tokenId } : {}),
    });
    try {
      bus.announce(`identity.invalidate.${workspaceId || 'platform'}`, body);
    } catch (error) {
      logger.warn({ err: error }, 'an invalidation could not be announced');
    }
  },
});
