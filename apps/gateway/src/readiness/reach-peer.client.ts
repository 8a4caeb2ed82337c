/** Whether the connection to a service stands; it asks nothing of the service and needs no rights there. */

interface Peer {
  channel(): {
    getConnectivityState(connect: boolean): number;
    watchConnectivityState(state: number, deadline: number, done: (error?: Error) => void): void;
  };
}

/** Of gRPC's connectivity states. */
const READY = 2;
const PATIENCE_MS = 1_500;

/** @throws Error when the connection does not stand within the readiness check's time. */
export const reachPeer = (peer: Peer): Promise<void> => {
  const deadline = Date.now() + PATIENCE_MS;
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const channel = peer.channel();
      const state = channel.getConnectivityState(true);
      if (state === READY) return resolve();
      channel.watchConnectivityState(state, deadline, (error) => (error ? reject(new Error('not reachable')) : look()));
    };
    look();
  });
};
