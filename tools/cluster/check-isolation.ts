/** Stands where an agent's pod stands and tries what must be shut; a pod that gets through says whose work is missing. */
import { connect } from 'node:net';

const WAIT_MS = 4_000;

/** A dropped packet runs into the limit; a refusal too is an answer of somebody who was reached. */
export const isReached = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: WAIT_MS });
    const tell = (reached: boolean): void => {
      socket.destroy();
      resolve(reached);
    };
    socket.once('connect', () => tell(true));
    socket.once('timeout', () => tell(false));
    socket.once('error', (error: NodeJS.ErrnoException) => tell(error.code === 'ECONNREFUSED'));
  });

export const checkIsolation = async (say: (sentence: string) => void): Promise<void> => {
  const host = process.env['KUBERNETES_SERVICE_HOST'] ?? '';
  const port = Number(process.env['KUBERNETES_SERVICE_PORT'] ?? 443);
  if (await isReached(host, port))
    throw new Error(
      "an agent's pod reaches the API server: nobody in this cluster enforces NetworkPolicies. Install a network plugin that does (Calico, Cilium, kube-network-policies) before anybody uses this.",
    );
  say("an agent's pod does not reach the API server");
};
