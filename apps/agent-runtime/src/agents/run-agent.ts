/**
 * One run of an agent, whoever asked: what it remembers goes before the message, and what it did is counted and told.
 *
 * Nothing that was said, by anybody, goes into the events or the counters.
 */
import { readSystemPrompt } from '../config/read-identity-files.ts';
import type { EventLog } from '../events/event-log.ts';
import type { LoopMessage, OfferedTool } from '../loop/conversation.ts';
import type { CallModel } from '../loop/model.ts';
import { type LoopOutcome, type LoopPorts, runAgentLoop } from '../loop/run-agent-loop.ts';
import type { MemoryStore } from '../memories/memory-store.ts';
import type { UsageCounter } from '../usage/usage-counter.ts';
import type { Agent } from './agent.ts';

export interface RunParts {
  readonly events: EventLog;
  readonly usage: UsageCounter;
  /** Undefined where memory is switched off. */
  readonly memories: MemoryStore | undefined;
  /** Whether what people say is remembered by itself. */
  readonly autoSave: boolean;
}

export interface Run {
  readonly agent: Agent;
  readonly callModel: CallModel;
  readonly channel: 'ws' | 'webhook';
  readonly turnId: string;
  readonly history: readonly LoopMessage[];
  readonly content: string;
  readonly tools: readonly OfferedTool[];
}

/** Throws what the loop throws. */
export async function runAgent(
  run: Run,
  hooks: Omit<LoopPorts, 'callModel'>,
  { events, usage, memories, autoSave }: RunParts,
  signal: AbortSignal,
): Promise<LoopOutcome> {
  const { config } = run.agent;
  const about = { turn_id: run.turnId, agent_alias: config.alias, channel: run.channel };
  const began = performance.now();
  const memory = config.remembers ? memories : undefined;
  const recalled = memory?.recall(run.content, config.alias) ?? '';
  if (autoSave)
    memory?.keep({ key: `message_${run.turnId}`, content: run.content, category: 'conversation', agent: config.alias });
  events.add({ type: 'agent_start', ...about });
  const tokens = { input_tokens: null as number | null, output_tokens: null as number | null };
  const ports: LoopPorts = {
    ...hooks,
    callModel: (...asked) => {
      events.add({ type: 'llm_request', ...about });
      return run.callModel(...asked);
    },
    callTool: async (name, argumentsJson, stop) => {
      events.add({ type: 'tool_call_start', tool: name, ...about });
      const since = performance.now();
      const output = await hooks.callTool(name, argumentsJson, stop);
      const success = !output.startsWith('Error:');
      events.add({
        type: 'tool_call',
        tool: name,
        duration_ms: Math.round(performance.now() - since),
        success,
        ...about,
      });
      return output;
    },
  };
  try {
    const outcome = await runAgentLoop(
      {
        systemPrompt: readSystemPrompt(config),
        messages: [...run.history, { role: 'user', content: recalled + run.content }],
        tools: run.tools,
        maxIterations: config.maxIterations,
      },
      ports,
      signal,
    );
    usage.add({ agent: config.alias, ...outcome });
    Object.assign(tokens, { input_tokens: outcome.inputTokens, output_tokens: outcome.outputTokens });
    return outcome;
  } catch (error) {
    if (!signal.aborted) events.add({ type: 'error', component: 'agent', message: (error as Error).message, ...about });
    throw error;
  } finally {
    const used = tokens.input_tokens === null && tokens.output_tokens === null;
    events.add({
      type: 'agent_end',
      duration_ms: Math.round(performance.now() - began),
      tokens_used: used ? null : (tokens.input_tokens ?? 0) + (tokens.output_tokens ?? 0),
      ...tokens,
      cost_usd: null,
      ...about,
    });
  }
}
