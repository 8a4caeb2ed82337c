/** The model gateway as another process, as far as the broker asks it: a real gRPC server whose answer a spec can turn. For specs only. */
import { createGrpcServer, createLogger, createPrincipalVerifier, type Handlers } from '@bravo/chassis';
import { ModelsServiceService, type RunIsolatedRequest } from '@bravo/proto/models';
import type { Peer } from './peers.fixture.ts';

export interface ModelsState {
  readonly asked: RunIsolatedRequest[];
  answer: (request: RunIsolatedRequest) => string;
  /** Of every limit. */
  budgetGone: boolean;
}

export const newModelsState = (): ModelsState => ({
  asked: [],
  answer: () => '{"verdict":"safe","reason":"plain"}',
  budgetGone: false,
});

export const startModelsPeer = async (state: ModelsState, keysFile: string): Promise<Peer> => {
  const server = createGrpcServer({
    service: 'models',
    verifier: createPrincipalVerifier('models', keysFile),
    logger: createLogger('models-peer', 'silent'),
  });
  const handlers: Pick<Handlers<typeof ModelsServiceService>, 'runIsolated' | 'getAllowance'> = {
    getAllowance: async () => ({
      ...{ plan: 'team', unlimited: true, planGranted: 0, planUsed: 0, trialGranted: 0, trialUsed: 0 },
      ...{ purchasedGranted: 0, purchasedUsed: 0, reserved: 0, resetsAt: undefined },
      limits: [
        { name: 'personDailyTokens', limit: 10, used: state.budgetGone ? 10 : 9, reserved: 0, resetsAt: undefined },
      ],
    }),
    runIsolated: async (request) => {
      state.asked.push(request);
      return { text: state.answer(request), model: 'spec', inputTokens: 1, outputTokens: 1 };
    },
  };
  server.addService(
    ModelsServiceService,
    handlers as never,
    { runIsolated: ['broker'], getAllowance: ['broker'] } as never,
  );
  const port = await server.listen('127.0.0.1', 0);
  return { address: `127.0.0.1:${port}`, port, stop: () => server.drain(0) };
};
