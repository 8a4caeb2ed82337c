/** A peer's server, as every process of the platform has one. For specs only. */
import { createGrpcServer, createLogger, createPrincipalVerifier, type GrpcServer } from '@bravo/chassis';

export interface Peer {
  readonly address: string;
  readonly port: number;
  stop(): Promise<void>;
}

const logger = createLogger('peer', 'silent');

export const serve = async (
  name: 'identity' | 'sandbox',
  keysFile: string,
  wanted: number,
  add: (server: GrpcServer) => void,
): Promise<Peer> => {
  const server = createGrpcServer({ service: name, verifier: createPrincipalVerifier(name, keysFile), logger });
  add(server);
  const port = await server.listen('127.0.0.1', wanted);
  return { address: `127.0.0.1:${port}`, port, stop: () => server.drain(0) };
};
