/** Spans reach a collector over OTLP, and a collector that is away costs the process nothing. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { inSpan, startTelemetry, stopTelemetry } from './index.ts';

let collector: Server | undefined;
afterEach(async () => {
  await stopTelemetry();
  collector?.closeAllConnections();
  collector?.close();
});

describe('the OTLP exporter', () => {
  it('sends finished spans with their service to /v1/traces', async () => {
    const got: { url: string | undefined; body: string }[] = [];
    collector = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        got.push({ url: request.url, body: Buffer.concat(chunks).toString() });
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => collector?.listen(0, '127.0.0.1', resolve));
    const { port } = collector.address() as AddressInfo;
    startTelemetry('tool-broker', { traceFile: '', otlpEndpoint: `http://127.0.0.1:${port}/` });
    await inSpan('decide', () => Promise.resolve(), { attributes: { 'bravo.decision': 'ask' } });
    await stopTelemetry();
    expect(got.map(({ url }) => url)).toEqual(['/v1/traces']);
    const { resourceSpans } = JSON.parse(got[0]?.body ?? '{}') as {
      resourceSpans: { resource: object; scopeSpans: { spans: object[] }[] }[];
    };
    expect(JSON.stringify(resourceSpans[0]?.resource)).toContain('tool-broker');
    expect(resourceSpans[0]?.scopeSpans[0]?.spans).toMatchObject([
      { name: 'decide', traceId: expect.stringMatching(/^[0-9a-f]{32}$/) },
    ]);
  });

  it('loses spans and nothing else when nobody listens', async () => {
    startTelemetry('tool-broker', { traceFile: '/proc/nowhere/x.jsonl', otlpEndpoint: '' });
    expect(await inSpan('decide', () => 42)).toBe(42);
    await stopTelemetry();
  });
});
