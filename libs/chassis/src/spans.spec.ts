/** Spans over every kind of hop: names of steps, one trace, parents right, nothing of an error's text. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Module, Post } from '@nestjs/common';
import 'reflect-metadata';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Fault } from '@bravo/faults';
import {
  createHttpApp,
  createLogger,
  currentTrace,
  currentTraceparent,
  inSpan,
  inSpanOf,
  listenHttp,
  runInTrace,
  startTelemetry,
  stopTelemetry,
  stepName,
} from './index.ts';
import type { TraceFileSpan } from './trace-file-exporter.ts';

const directory = mkdtempSync(join(tmpdir(), 'bravo-spans-'));
const file = join(directory, 'test.traces.jsonl');
let carried: string | undefined;

@Controller()
class Edge {
  @Post('messages')
  async postMessage(@Body() body: { fail?: boolean }): Promise<unknown> {
    return inSpan('run-turn', async (span) => {
      span.set({ 'bravo.turn': 'trn_1' });
      carried = currentTraceparent();
      await inSpan('decide', () => Promise.resolve());
      if (body.fail) throw new Fault('conflict', 'canary-detail', { cause: new Error('canary-cause') });
      return {};
    });
  }
}

@Module({ controllers: [Edge] })
class TestModule {}

let spans: TraceFileSpan[];
const TRACE = 'a'.repeat(32);

beforeAll(async () => {
  startTelemetry('test', { traceFile: file, otlpEndpoint: '' });
  const app = await createHttpApp(TestModule, { logger: createLogger('test', 'silent') });
  const base = `http://127.0.0.1:${await listenHttp(app, '127.0.0.1', 0)}`;
  const post = (body: object, headers: Record<string, string> = {}) =>
    fetch(`${base}/messages`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  await post({}, { traceparent: `00-${TRACE}-${'b'.repeat(16)}-01` });
  await inSpanOf(carried, 'record-event', () => Promise.resolve());
  await post({ fail: true });
  await fetch(`${base}/metrics`);
  await app.close();
  await stopTelemetry();
  spans = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as TraceFileSpan);
});
afterAll(() => rmSync(directory, { recursive: true }));

describe('spans', () => {
  it('carry the names of the steps in one trace, each under the step that called it [telemetry.trace]', () => {
    const first = spans.filter(({ trace_id }) => trace_id === TRACE);
    const named = (name: string) => first.find((span) => span.name === name);
    expect(first.map(({ name }) => name).sort()).toEqual(['decide', 'post-message', 'record-event', 'run-turn']);
    expect(named('post-message')).toMatchObject({
      app: 'test',
      kind: 'server',
      parent_span_id: 'b'.repeat(16),
      attributes: { 'http.route': '/messages', 'http.response.status_code': 201 },
    });
    expect(named('run-turn')).toMatchObject({
      parent_span_id: named('post-message')?.span_id,
      attributes: { 'bravo.turn': 'trn_1' },
    });
    expect(named('decide')?.parent_span_id).toBe(named('run-turn')?.span_id);
    expect(named('record-event')).toMatchObject({ kind: 'consumer', parent_span_id: named('run-turn')?.span_id });
  });

  it('begin a trace where none came, and say of a failure its code alone', () => {
    const failed = spans.filter(({ error }) => error === 'conflict');
    expect(failed.map(({ name }) => name)).toEqual(['run-turn']);
    const root = spans.find(({ span_id }) => span_id === failed[0]?.parent_span_id);
    expect(root).toMatchObject({ name: 'post-message', trace_id: failed[0]?.trace_id });
    expect(root).not.toHaveProperty('parent_span_id');
    expect(readFileSync(file, 'utf8')).not.toContain('canary');
  });

  it('are in a file of their owner, and none is made for being asked how one is', () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(spans.map(({ name }) => name)).not.toContain('GET /metrics');
  });

  it('without an exporter the trace goes on and costs no span', async () => {
    const outer = { traceId: TRACE, spanId: 'e'.repeat(16) };
    await runInTrace(outer, () => inSpan('step', () => expect(currentTrace()).toEqual(outer)));
    await inSpan('step', () => expect(currentTrace()?.traceId).toMatch(/^[0-9a-f]{32}$/));
    expect(currentTraceparent()).toBeUndefined();
  });

  it.each([
    ['RunTurn', 'run-turn'],
    ['postMessage', 'post-message'],
    ['callModel', 'call-model'],
  ])('%s is the step %s', (method, step) => expect(stepName(method)).toBe(step));
});
