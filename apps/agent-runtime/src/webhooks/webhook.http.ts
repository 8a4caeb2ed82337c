/**
 * `POST /webhook`: one message, one answer, nothing remembered of it but what memory keeps.
 *
 * Checked in ZeroClaw's order: rate, bearer, secret, JSON, agent, idempotency. A key that was seen is never answered
 * again, also where its run failed: whoever calls cannot know what it did.
 */
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { headerToken } from '../access/check-bearer.ts';
import type { Agent } from '../agents/agent.ts';
import { runAgent, type RunParts } from '../agents/run-agent.ts';
import { Approvals } from '../chats/approvals.ts';
import { NOT_APPROVED } from '../chats/run-turn.ts';
import {
  type Answer,
  type Call,
  isLoopback,
  parseObject,
  readBody,
  Refusal,
  type Route,
} from '../gateway/call.http.ts';
import type { OfferedTool } from '../loop/conversation.ts';
import type { LoopOutcome } from '../loop/run-agent-loop.ts';
import { AttemptLimit } from '../pairing/attempt-limit.ts';
import type { Pairing } from '../pairing/pairing.ts';

export interface WebhookPorts extends RunParts {
  readonly agents: ReadonlyMap<string, Agent>;
  readonly pairing: Pairing;
  readonly webhookSecret: string | undefined;
  readonly requestTimeoutMs: number;
  readonly log: (message: string) => void;
}

const PER_MINUTE = 60;
const KEYS_KEPT = 10_000;

export function webhookRoute(ports: WebhookPorts): Route {
  const rate = new AttemptLimit({ perMinute: PER_MINUTE, failures: Infinity, lockoutMs: 0 });
  const strangers = new AttemptLimit({ perMinute: Infinity, failures: 10, lockoutMs: 300_000 });
  const keys = new Set<string>();
  return async (call) => {
    if (call.route !== 'POST /webhook') return undefined;
    const text = await readBody(call.request);
    const wait = rate.attempt(call.address) || (isLoopback(call.address) ? 0 : strangers.lockedFor(call.address));
    if (wait > 0) return { status: 429, body: { error: 'Too many requests.', retry_after: wait } };
    if (!ports.pairing.admits(headerToken(call.request))) {
      strangers.fail(call.address);
      return { status: 401, body: { error: 'Unauthorized' } };
    }
    if (
      ports.webhookSecret !== undefined &&
      !same(String(call.request.headers['x-webhook-secret'] ?? ''), ports.webhookSecret)
    )
      return { status: 401, body: { error: 'Unauthorized' } };
    const { message } = parseObject(text);
    if (typeof message !== 'string' || message.trim() === '')
      throw new Refusal(400, { error: 'Invalid JSON body. Expected: {"message": "..."}' });
    const [only] = ports.agents.keys();
    const alias = call.url.searchParams.get('agent') ?? only ?? '';
    const agent = ports.agents.get(alias);
    if (!agent) return { status: 400, body: { error: `There is no agent called ${alias}.` } };
    const key = call.request.headers['x-idempotency-key'];
    if (typeof key === 'string' && key !== '') {
      if (keys.has(key))
        return {
          status: 200,
          body: { status: 'duplicate', idempotent: true, message: 'A request of this key was taken already.' },
        };
      keys.add(key);
      if (keys.size > KEYS_KEPT) keys.delete(keys.values().next().value ?? '');
    }
    return answer(call, agent, message, ports);
  };
}

async function answer({ response }: Call, agent: Agent, message: string, ports: WebhookPorts): Promise<Answer> {
  const { callModel, config } = agent;
  if (callModel === undefined) return { status: 503, body: { error: 'needs_quickstart', url: '/quickstart' } };
  const stop = new AbortController();
  // Whoever went away reads no answer, and nobody is there to see what further calls would do.
  response.on('close', () => stop.abort());
  const late = setTimeout(() => stop.abort(new Late()), ports.requestTimeoutMs);
  const tools = agent.openToolServer();
  try {
    const outcome = await orStop(
      stop.signal,
      (async () => {
        const offered = await tools.listTools(stop.signal).catch((): OfferedTool[] => []);
        return run(agent, message, offered, { ...ports, callModel, callTool: tools.callTool }, stop.signal);
      })(),
    );
    return { status: 200, body: { response: outcome.text, model: outcome.model || (config.model?.name ?? '') } };
  } catch (error) {
    if (stop.signal.reason instanceof Late)
      return { status: 408, body: { error: 'The request took longer than gateway.request_timeout_secs.' } };
    ports.log(`a webhook was not answered: ${(error as Error).message}`);
    return { status: 500, body: { error: 'LLM request failed' } };
  } finally {
    clearTimeout(late);
  }
}

class Late extends Error {}

/** The timestamp stands before the message, as ZeroClaw has it; nobody can be asked, so what would be asked is denied. */
function run(
  agent: Agent,
  message: string,
  tools: readonly OfferedTool[],
  ports: WebhookPorts & { readonly callModel: NonNullable<Agent['callModel']> } & Pick<
      ReturnType<Agent['openToolServer']>,
      'callTool'
    >,
  signal: AbortSignal,
): Promise<LoopOutcome> {
  const approvals = new Approvals(agent.config, undefined);
  const content = `[${new Date().toISOString()}] ${message}`;
  return runAgent(
    { agent, callModel: ports.callModel, channel: 'webhook', turnId: randomUUID(), history: [], content, tools },
    {
      takeSteering: () => [],
      onText: () => undefined,
      onToolCall: () => undefined,
      onToolResult: () => undefined,
      callTool: async (name, args, stop) =>
        (await approvals.allow(name, args, stop)) ? ports.callTool(name, args, stop) : NOT_APPROVED,
    },
    ports,
    signal,
  );
}

/** The work, or the reason of `signal` as soon as it stops: a request must not hang on what does not heed it. */
function orStop<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });
}

const same = (given: string, wanted: string): boolean =>
  timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(wanted).digest());
