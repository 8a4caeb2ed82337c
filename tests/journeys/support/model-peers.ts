/** Model servers a journey stands up: aimock for what real providers say, and one that never ends, to see who hangs up. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LLMock } from '@copilotkit/aimock';

export const usage = { prompt_tokens: 1_000, completion_tokens: 200, total_tokens: 1_200 };

export const startMockModel = async (): Promise<LLMock> => {
  const mock = new LLMock({ port: 0 });
  await mock.start();
  return mock;
};

export interface EndlessModel {
  readonly baseUrl: string;
  /** Resolves with the moment the connection of the next answer is closed by whoever asked. */
  nextHangUp(): Promise<number>;
  close(): Promise<void>;
}

/** Says a word every 50 ms for ever. */
export const startEndlessModel = async (): Promise<EndlessModel> => {
  let hungUp = Promise.withResolvers<number>();
  const server = createServer((request, response) => {
    request.resume();
    const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'endless', choices: [{ index: 0, delta: { content: 'on and ' }, finish_reason: null }] };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const timer = setInterval(() => response.write(`data: ${JSON.stringify(chunk)}\n\n`), 50);
    response.on('close', () => {
      clearInterval(timer);
      hungUp.resolve(performance.now());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    nextHangUp: () => {
      hungUp = Promise.withResolvers<number>();
      return hungUp.promise;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
