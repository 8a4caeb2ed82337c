/** What the platform tells of itself: one trace from the request to the sandbox and back, numbers on every port, and no secret in either. */
import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { eventually } from './support/eventually.ts';
import { askForProgram, usePlatform } from './support/platform.ts';

const stage = usePlatform();

interface Span {
  readonly app: string;
  readonly name: string;
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_span_id?: string;
  readonly kind: string;
  readonly duration_ms: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

const logs = (suffix: string): string[] =>
  readdirSync(path.join(stage.platform.home, 'logs'))
    .filter((name) => name.endsWith(suffix))
    .map((name) => path.join(stage.platform.home, 'logs', name));

const readSpans = (): Span[] =>
  logs('.traces.jsonl').flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line) as Span),
  );

/** Each step, the process it happens in, and the step that it happens under. */
const STEPS: readonly (readonly [step: string, app: string, under: string])[] = [
  ['post-message', 'gateway', ''],
  ['run-turn', 'agent-orchestrator', 'post-message'],
  ['drive-turn', 'agent-orchestrator', 'run-turn'],
  ['ensure-agent-pod', 'agent-orchestrator', 'drive-turn'],
  ['run-agent-loop', 'agent-orchestrator', 'drive-turn'],
  ['call-model', 'model-gateway', 'run-agent-loop'],
  ['serve-mcp', 'tool-broker', 'run-agent-loop'],
  ['call-tool', 'tool-broker', 'serve-mcp'],
  ['decide', 'tool-broker', 'call-tool'],
  ['request-approval', 'tool-broker', 'call-tool'],
  ['execute', 'tool-broker', 'call-tool'],
  ['run-execution', 'sandbox-runner', 'execute'],
  ['label', 'tool-broker', 'call-tool'],
  ['record-event', 'audit', 'call-tool'],
];

describe('an approved program', () => {
  it('is one trace through every process, each step under the one that called it [telemetry.trace]', async () => {
    const { alice } = stage;
    const conversation = await alice.createConversation();
    const { log, toolCall } = await askForProgram(alice, conversation, 'print("canary-in-code")');
    await alice.answer(conversation, toolCall, 'approve');
    await log.terminal();
    const trace = await eventually('the whole trace', async () => {
      const spans = readSpans();
      const turn = spans.find(({ name, attributes }) => name === 'drive-turn' && attributes['bravo.conversation'] === conversation);
      const found = spans.filter(({ trace_id }) => trace_id === turn?.trace_id);
      const names = new Set(found.map(({ name }) => name));
      return STEPS.every(([step]) => names.has(step)) && found;
    });
    const byId = new Map(trace.map((span) => [span.span_id, span]));
    const seen = STEPS.map(([step, , under]) => {
      const spans = trace.filter(({ name }) => name === step);
      // A step may happen more than once; at least one of them is where the story says.
      const span = spans.find(({ parent_span_id: parent }) => (byId.get(parent ?? '')?.name ?? '') === under) ?? spans[0];
      return [step, span?.app, byId.get(span?.parent_span_id ?? '')?.name ?? ''];
    });
    expect(seen).toEqual(STEPS);
    // One root, and no span hangs under one that was never told of.
    expect(trace.filter(({ parent_span_id: parent }) => parent === undefined).map(({ name }) => name)).toEqual(['post-message']);
    expect(trace.filter(({ parent_span_id: parent }) => parent !== undefined && !byId.has(parent)).map(({ name }) => name)).toEqual([]);
    expect(trace.find(({ name }) => name === 'decide')?.attributes).toMatchObject({ 'bravo.decision': 'ask' });
    const events = await alice.trail(conversation);
    expect(events.map(({ type }) => type)).toContain('agent.code.executed');
    for (const file of logs('.traces.jsonl')) expect(readFileSync(file, 'utf8')).not.toContain('canary-in-code');
  });

  it('that fails is found by the trace the problem quotes [telemetry.reference]', async () => {
    const { alice } = stage;
    const reply = await alice.call('GET', '/bravo/conversations/cnv_00000000000000000000000000');
    expect(reply).toMatchObject({ status: 404, body: { code: 'not_found', reference: expect.stringMatching(/^ref_/), trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) } });
    const lines = await eventually('the trace in the logs of both sides', async () => {
      const found = logs('.log').flatMap((file) => readFileSync(file, 'utf8').split('\n').filter((line) => line.includes(reply.body.trace_id as string)));
      return found.length >= 2 && found;
    });
    expect(new Set(lines.map((line) => (JSON.parse(line) as { app: string }).app))).toEqual(new Set(['gateway', 'agent-orchestrator']));
  });
});

describe('the numbers', () => {
  it('are at /metrics of every process, and count what just happened [telemetry.metrics]', async () => {
    const { ports } = JSON.parse(readFileSync(path.join(stage.platform.home, 'state.json'), 'utf8')) as { ports: Record<string, number> };
    const apps = Object.keys(ports).filter((name) => name === 'gateway' || name.endsWith('.http'));
    expect(apps).toHaveLength(9);
    const metrics: Record<string, string> = {};
    for (const app of apps) {
      const reply = await fetch(`http://127.0.0.1:${ports[app]}/metrics`);
      expect({ app, status: reply.status }).toEqual({ app, status: 200 });
      metrics[app] = await reply.text();
      expect(metrics[app]).toMatch(/process_resident_memory_bytes \d/);
    }
    const of = (app: string): string => metrics[`${app}.http`] ?? '';
    expect(metrics['gateway']).toMatch(/bravo_http_request_duration_seconds_count\{method="POST",route="\/api\/v1\/:ws\/bravo\/conversations\/:cid\/messages",status="2xx"\} [1-9]/);
    expect(of('agent-orchestrator')).toMatch(/bravo_turns_total\{status="completed"\} [1-9]/);
    expect(of('agent-orchestrator')).toMatch(/bravo_pods\{state="(claimed|warm|starting)"\} [1-9]/);
    expect(of('agent-orchestrator')).toMatch(/bravo_outbox_lag_seconds [0-9]/);
    expect(of('agent-orchestrator')).toMatch(/bravo_consumer_lag_messages\{stream="WORK"\} [0-9]/);
    expect(of('tool-broker')).toMatch(/bravo_tool_calls_total\{decision="ask"\} [1-9]/);
    expect(of('tool-broker')).toMatch(/bravo_approvals_waiting 0/);
    expect(of('tool-broker')).toMatch(/bravo_outbox_lag_seconds [0-9]/);
    expect(of('identity')).toMatch(/bravo_outbox_lag_seconds [0-9]/);
    expect(of('sandbox-runner')).toMatch(/bravo_executions_total\{outcome="ok"\} [1-9]/);
    expect(of('sandbox-runner')).toMatch(/bravo_grpc_request_duration_seconds_count\{service="sandbox",method="RunExecution",code="ok"\} [1-9]/);
    expect(of('audit')).toMatch(/bravo_consumer_lag_messages\{stream="EVENTS"\} [0-9]/);
    // Whoever may read the numbers learns of no tenant and no person.
    for (const text of Object.values(metrics)) expect(text).not.toMatch(/\b(ws|usr|cnv|trn|apr|tok)_[0-9a-z]{26}|acme|globex|alice/);
  });
});

describe('what is written down', () => {
  it('holds no token, password or key of the platform [telemetry.redacted]', async () => {
    const { alice } = stage;
    await fetch(`${stage.platform.gatewayUrl}/api/v1/me`, { headers: { authorization: 'Bearer bwt_wrong_canary' } });
    const secrets = JSON.parse(readFileSync(path.join(stage.platform.home, 'secrets.json'), 'utf8')) as object;
    const values = [alice.token, 'bwt_wrong_canary', ...leavesOf(secrets).filter((text) => text.length >= 12)];
    expect(values.length).toBeGreaterThan(8);
    for (const file of [...logs('.log'), ...logs('.traces.jsonl')]) {
      const text = readFileSync(file, 'utf8');
      expect({ file: path.basename(file), holds: values.filter((value) => text.includes(value)).length }).toEqual({ file: path.basename(file), holds: 0 });
    }
  });
});

const leavesOf = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
