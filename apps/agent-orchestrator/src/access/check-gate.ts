/** Whether @bravo may work in a workspace at all; what cannot be read refuses. */
import { Fault } from '@bravo/faults';
import type { Identity } from './identity.ts';

/** How many may have a pod at once; neither counts against the other (D28). */
export interface Places {
  readonly conversations: number;
  readonly delegates: number;
}

/** @throws Fault feature_off, agent_disabled, or identity's own. */
export const checkGate = async (identity: Identity, workspaceId: string): Promise<Places> => {
  const [enabled, config] = await Promise.all([
    identity.featureEnabled(workspaceId, 'bravo'),
    identity.agentConfig(workspaceId),
  ]);
  if (!enabled) {
    throw new Fault('feature_off', '@bravo is not part of what this workspace has. An operator can switch it on.');
  }
  if (!config.enabled) {
    throw new Fault('agent_disabled', '@bravo is switched off here. An admin can switch it on in the configuration.');
  }
  return { conversations: config.maxConcurrent, delegates: config.maxDelegates };
};
