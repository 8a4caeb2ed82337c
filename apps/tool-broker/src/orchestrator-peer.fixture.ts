/** The orchestrator as another process, as far as the broker asks it: a real gRPC server whose room for delegates a spec can turn. For specs only. */
import { createGrpcServer, createLogger, createPrincipalVerifier, type Handlers } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import { type OpenDelegatesRequest, OrchestratorServiceService } from '@bravo/proto/orchestrator';
import type { Peer } from './peers.fixture.ts';

export interface OrchestratorState {
  readonly asked: OpenDelegatesRequest[];
  /** How many more it opens. */
  room: number;
  /** Opened, and then the answer is lost. */
  losesAnswer: boolean;
  readonly opened: Map<string, string>;
}

export const newOrchestratorState = (): OrchestratorState => ({
  asked: [],
  room: 8,
  losesAnswer: false,
  opened: new Map(),
});

export const startOrchestratorPeer = async (state: OrchestratorState, keysFile: string): Promise<Peer> => {
  const server = createGrpcServer({
    service: 'orchestrator',
    verifier: createPrincipalVerifier('orchestrator', keysFile),
    logger: createLogger('orchestrator-peer', 'silent'),
  });
  const handlers: Pick<Handlers<typeof OrchestratorServiceService>, 'openDelegates'> = {
    openDelegates: async (request) => {
      state.asked.push(request);
      const delegates = request.delegates.map(({ conversationId }) => {
        if (!state.opened.has(conversationId) && state.room > 0) {
          state.room -= 1;
          state.opened.set(conversationId, `d${state.opened.size + 1}`);
        }
        return { conversationId, name: state.opened.get(conversationId) ?? '' };
      });
      if (state.losesAnswer) throw new Fault('unavailable', 'The answer was lost.');
      const refusedBecause = delegates.some(({ name }) => name === '') ? 'There is no room for more.' : '';
      return { delegates, refusedBecause };
    },
  };
  server.addService(OrchestratorServiceService, handlers as never, { openDelegates: ['broker'] } as never);
  const port = await server.listen('127.0.0.1', 0);
  return { address: `127.0.0.1:${port}`, port, stop: () => server.drain(0) };
};
