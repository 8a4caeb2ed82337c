/** Gives a program the pod's place, as `./bravo attach` does, without a process of its own for each. */
import type { Platform } from '@bravo/testing';
import { httpUrl, mintToken, personSubject, requireRunning, withOrchestrator } from '@bravo/tools/cli/operator';
import { PodSeat } from './pod-seat.ts';

export const sitDown = async (platform: Platform, name: string): Promise<PodSeat> => {
  const stack = requireRunning({ BRAVO_HOME: platform.home });
  const minted = await mintToken(stack, false, name, { ttlSeconds: 60, label: 'a hostile pod' });
  const subject = await personSubject(stack, minted);
  const attached = await withOrchestrator(stack, (orchestrator) => orchestrator.attachAgent({ conversationId: '' }, { subject }));
  return new PodSeat({ conversation: attached.conversationId, token: attached.token, mcp_url: `${httpUrl(stack, 'tool-broker')}/mcp/`, model_url: `${httpUrl(stack, 'model-gateway')}/v1` });
};
