/** A real server that speaks whatever bytes a spec says, for what well-behaved mocks cannot do: cut, reset, stall, split and lie. */
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { ModelProvider } from '../model-provider.port.ts';
import type { ListedModel, ProviderEntry } from '../provider-entry.ts';
import { straightSocket } from '../straight-socket.fixture.ts';
import { createOutbound, type OutboundOptions } from './outbound.ts';
import { createVendorProvider } from './vendors.ts';

export interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}
export type Answer = (response: ServerResponse, asked: Asked) => void;

export interface RawPeer {
  readonly url: string;
  readonly asked: Asked[];
  readonly sockets: ReadonlySet<Socket>;
  close(): Promise<void>;
}

export async function startRawPeer(answer: Answer): Promise<RawPeer> {
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const text = Buffer.concat(pieces).toString();
      const body = (text === '' ? {} : JSON.parse(text)) as Asked['body'];
      const seen = { path: request.url ?? '', headers: request.headers, body };
      asked.push(seen);
      answer(response, seen);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    sockets,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const listed = (name: string, more: Partial<ListedModel> = {}): ListedModel => ({
  ...{ name, label: name, contextTokens: null, outputTokens: null, effort: 'unknown', demo: false },
  ...more,
});

export const entryAt = (baseUrl: string, more: Partial<ProviderEntry> = {}): ProviderEntry => ({
  ...{ id: 'upstream', label: 'Upstream', kind: 'openai-compatible', layer: 'workspace', baseUrl },
  ...{ keyNames: ['SOME_KEY'], key: undefined, region: undefined, profile: undefined, models: [listed('m')] },
  ...more,
});

export const KEY = 'sk-very-secret-key-of-ours';

export const providerAt = (
  baseUrl: string,
  more: Partial<ProviderEntry> = {},
  patience: Partial<OutboundOptions> = {},
): ModelProvider => {
  const { fetch } = createOutbound({
    connectMs: 1_000,
    idleMs: 5_000,
    publicOnly: false,
    openSocket: straightSocket,
    ...patience,
  });
  return createVendorProvider(entryAt(baseUrl, more), { fetch, readKey: () => Promise.resolve(KEY) });
};

export const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
export const USAGE =
  'data: {"id":"c","choices":[],"usage":{"prompt_tokens":11,"completion_tokens":5,"total_tokens":16}}\n\n';
export const DONE = 'data: [DONE]\n\n';
export const begin = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });

/** A few bytes at a time, which cuts events, JSON and letters in the middle. */
export const dribble = (response: ServerResponse, text: string, size: number): void => {
  const bytes = Buffer.from(text);
  let sent = 0;
  const next = (): void => {
    if (sent >= bytes.length) return void response.end();
    response.write(bytes.subarray(sent, (sent += size)));
    setImmediate(next);
  };
  next();
};
