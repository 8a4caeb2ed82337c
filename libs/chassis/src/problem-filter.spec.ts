import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, Module, Post } from '@nestjs/common';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import 'reflect-metadata';
import { Fault } from '@bravo/faults';
import { createHttpApp, createLogger, HealthController, listenHttp, READINESS } from './index.ts';

@Controller()
class Edge {
  @Get('refused')
  refused(): never {
    throw new Fault('already_decided', 'It was approved by alice.');
  }
  @Get('broken')
  broken(): never {
    throw new Error('password=hunter2');
  }
  @Post('echo')
  echo(@Body() body: unknown): unknown {
    return body;
  }
}

let nats = true;

@Module({
  controllers: [Edge, HealthController],
  providers: [
    {
      provide: READINESS,
      useValue: {
        checks: {
          nats: async () => {
            if (!nats) throw new Error('connection refused');
          },
        },
      },
    },
  ],
})
class TestModule {}

let app: NestFastifyApplication;
let base: string;

beforeAll(async () => {
  app = await createHttpApp(TestModule, { logger: createLogger('test', 'silent'), bodyLimit: 1_000 });
  base = `http://127.0.0.1:${await listenHttp(app, '127.0.0.1', 0)}`;
});
afterAll(() => app.close());

const problemOf = async (path: string, init?: RequestInit) => {
  const response = await fetch(`${base}${path}`, init);
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    body: (await response.json()) as Record<string, unknown>,
  };
};

describe('an HTTP edge answers with a problem document', () => {
  it.each([
    ['a fault', '/refused', undefined, 409, 'already_decided'],
    ['an unknown error', '/broken', undefined, 500, 'internal'],
    ['an unknown route', '/nowhere', undefined, 404, 'not_found'],
    [
      'malformed JSON',
      '/echo',
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":' },
      400,
      'invalid_argument',
    ],
    [
      'a body that is too large',
      '/echo',
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify('x'.repeat(2_000)) },
      413,
      'payload_too_large',
    ],
    [
      'a media type it does not speak',
      '/echo',
      { method: 'POST', headers: { 'content-type': 'application/x-other' }, body: 'x' },
      415,
      'unsupported_media_type',
    ],
  ])('for %s', async (_what, path, init, status, code) => {
    const problem = await problemOf(path, init);
    expect(problem).toMatchObject({
      status,
      type: expect.stringContaining('application/problem+json'),
      body: { status, code, reference: expect.stringMatching(/^ref_/) },
    });
    expect(problem.body['trace_id']).toMatch(/^[0-9a-f]{32}$/);
    expect(JSON.stringify(problem)).not.toContain('hunter2');
  });

  it('quotes the trace its caller began, beside the reference [telemetry.reference]', async () => {
    const traceId = 'c'.repeat(32);
    for (const path of ['/refused', '/broken', '/nowhere']) {
      expect(await problemOf(path, { headers: { traceparent: `00-${traceId}-${'d'.repeat(16)}-01` } })).toMatchObject({
        body: { trace_id: traceId, reference: expect.stringMatching(/^ref_/) },
      });
    }
  });

  it('counts requests by route and never by address, and says how the process is [telemetry.metrics]', async () => {
    await fetch(`${base}/refused?secret=1`);
    const metrics = await fetch(`${base}/metrics`);
    const text = await metrics.text();
    expect(metrics.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(text).toMatch(/bravo_http_request_duration_seconds_count\{method="GET",route="\/refused",status="4xx"\} \d/);
    expect(text).toMatch(/route="unknown",status="4xx"/);
    expect(text).toMatch(/process_resident_memory_bytes \d/);
    expect(text).toMatch(/nodejs_eventloop_lag_p99_seconds \d/);
    expect(text).not.toContain('/nowhere');
    expect(text).not.toMatch(/healthz|readyz|secret/);
  });

  it('is ready only while its dependencies answer, and says which does not', async () => {
    expect((await fetch(`${base}/readyz`)).status).toBe(200);
    nats = false;
    expect(await problemOf('/readyz')).toMatchObject({ status: 503, body: { checks: { nats: 'connection refused' } } });
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
  });
});
