/** The model gateway as another process, as far as the broker asks it: a real gRPC server whose answer a spec can turn. For specs only. */
import { createGrpcServer, createLogger, createPrincipalVerifier, type Handlers } from '@bravo/chassis';
import { ModelsServiceService, type RunIsolatedRequest } from '@bravo/proto/models';
import type { Peer } from './peers.fixture.ts';

export interface ModelsState {
  readonly asked: RunIsolatedRequest[];
  answer: (request: RunIsolatedRequest) => string;
}

export const newModelsState = (): ModelsState => ({ asked: [], answer: () => '{"verdict":"safe","reason":"plain"}' });

export const startModelsPeer = async (state: ModelsState, keysFile: string): Promise<Peer> => {
  const server = createGrpcServer({
    service: 'models',
    verifier: createPrincipalVerifier('models', keysFile),
    logger: createLogger('models-peer', 'silent'),
  });
  const handlers: Pick<Handlers<typeof ModelsServiceService>, 'runIsolated'> = {
    runIsolated: async (request) => {
      state.asked.push(request);
      return { text: state.answer(request), model: 'spec', inputTokens: 1, outputTokens: 1 };
    },
  };
  server.addService(ModelsServiceService, handlers as never, { runIsolated: ['broker'] } as never);
  const port = await server.listen('127.0.0.1', 0);
  return { address: `127.0.0.1:${port}`, port, stop: () => server.drain(0) };
};
