/** An OpenAI-compatible server with TLS under a name of this machine, as an operator would list an inside host; its certificate is trusted by this process alone. */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { generate } from 'selfsigned';
import { chunk, DONE, USAGE } from './ai-sdk/raw-peer.fixture.ts';

export interface TlsPeer {
  /** https address by the name localhost. */
  readonly baseUrl: string;
  readonly asked: { readonly authorization: string; readonly body: Record<string, unknown> }[];
  /** Connections so far, before any TLS. */
  sockets(): number;
  close(): Promise<void>;
}

export async function startTlsPeer(says: string): Promise<TlsPeer> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, cert]);
  const asked: TlsPeer['asked'] = [];
  const server = createServer({ key, cert }, (request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>;
      asked.push({ authorization: request.headers.authorization ?? '', body });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(chunk({ content: says }) + chunk({}, 'stop') + USAGE + DONE);
    });
  });
  let sockets = 0;
  server.on('connection', () => (sockets += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `https://localhost:${(server.address() as AddressInfo).port}/v1`,
    asked,
    sockets: () => sockets,
    close: async () => {
      setDefaultCACertificates(trusted);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
