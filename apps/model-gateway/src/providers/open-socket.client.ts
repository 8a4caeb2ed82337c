/** Connections to model servers as tunnels through egress, each told in the log of its workspace under its provider's name. */
import { openTunnel, secureTunnel, type WayOut } from '@bravo/chassis';
import type { OpenSocketFor } from './open-socket.ts';

export const createOpenSocketFor =
  (way: WayOut): OpenSocketFor =>
  (workspaceId, providerId) =>
  async ({ host, port, secure }, { reach, connectMs }) => {
    const timing = { connectMs };
    const decisionId = `provider:${providerId}`.slice(0, 200);
    const request = {
      purpose: 'model',
      host,
      port,
      reach,
      decisionId,
      workspaceId,
      conversationId: '',
      userId: '',
    } as const;
    const tunnel = await openTunnel(way, request, timing);
    tunnel.setNoDelay(true);
    return secure ? secureTunnel(way, tunnel, host, timing) : tunnel;
  };
