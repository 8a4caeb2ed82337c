/** Whether a person may still have what they scheduled: asked anew before every turn it makes. What cannot be read fires nothing. */
import { isFault } from '@bravo/faults';
import type { Identity } from '../access/agent.ts';
import type { EndReason } from './end-reasons.ts';
import type { Owner } from './schedule.ts';

/** @returns why it ends; undefined while it stands. @throws Fault while identity cannot say. */
export type CheckStanding = (owner: Owner) => Promise<EndReason | undefined>;

export const createCheckStanding =
  (identity: Pick<Identity, 'resolveMember' | 'features' | 'agentConfig'>): CheckStanding =>
  async ({ workspaceId, userId }) => {
    const [features, { config }] = await Promise.all([
      identity.features(workspaceId),
      identity.agentConfig(workspaceId),
    ]);
    if (features['bravo'] !== true || !config.enabled) return 'feature';
    try {
      const { permissions } = await identity.resolveMember(workspaceId, userId);
      return permissions.includes('view_content') ? undefined : 'permission';
    } catch (error) {
      if (isFault(error) && error.code === 'not_found') return 'left';
      throw error;
    }
  };
