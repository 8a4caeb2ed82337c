/**
 * Runs one turn: ask the model, run the tools it names, give it the results, until it answers without a tool.
 *
 * It decides nothing about what is allowed (the broker does), never runs two tools at once, and never goes on after
 * its signal: an aborted turn throws.
 */
import type { LoopMessage, OfferedTool } from './conversation.ts';
import type { CallModel } from './model.ts';
import type { ToolServer } from './tool-server.ts';

export interface LoopInput {
  readonly systemPrompt: string;
  /** Everything before this turn, then the message that starts it. */
  readonly messages: readonly LoopMessage[];
  readonly tools: readonly OfferedTool[];
  readonly maxIterations: number;
}

export interface LoopPorts {
  readonly callModel: CallModel;
  readonly callTool: ToolServer['callTool'];
  readonly onText: (delta: string) => void;
  /** What a model lets be seen of its reasoning; it is told and never becomes part of the answer. */
  readonly onThinking?: (delta: string) => void;
  readonly onToolCall: (id: string, name: string, args: unknown) => void;
  readonly onToolResult: (id: string, name: string, output: string) => void;
  /** Takes the messages that arrived while the turn ran. */
  readonly takeSteering: () => readonly string[];
}

export interface LoopOutcome {
  /** Exactly what was streamed through `onText`, joined. */
  readonly text: string;
  readonly model: string;
  /** Sums over the turn; null when no answer reported them. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly lastInputTokens: number | null;
}

/** The model kept asking for tools. */
export class TooManyIterations extends Error {}

export async function runAgentLoop(input: LoopInput, ports: LoopPorts, signal: AbortSignal): Promise<LoopOutcome> {
  const messages: LoopMessage[] = [{ role: 'system', content: input.systemPrompt }, ...input.messages];
  const outcome = { text: '', model: '', inputTokens: null, outputTokens: null, lastInputTokens: null } as {
    -readonly [key in keyof LoopOutcome]: LoopOutcome[key];
  };
  const say = (delta: string): void => {
    outcome.text += delta;
    ports.onText(delta);
  };

  for (let iteration = 0; iteration < input.maxIterations; iteration += 1) {
    for (const content of ports.takeSteering()) messages.push({ role: 'user', content });
    let first = true;
    const answer = await ports.callModel(
      messages,
      input.tools,
      (delta) => {
        // Each answer of the model is a paragraph of its own in what the person reads.
        if (first && outcome.text !== '' && !outcome.text.endsWith('\n')) say('\n\n');
        first = false;
        say(delta);
      },
      signal,
      ports.onThinking,
    );
    signal.throwIfAborted();
    outcome.model = answer.model || outcome.model;
    outcome.inputTokens = add(outcome.inputTokens, answer.usage.inputTokens);
    outcome.outputTokens = add(outcome.outputTokens, answer.usage.outputTokens);
    outcome.lastInputTokens = answer.usage.inputTokens;

    const toolCalls = answer.toolCalls.map((call, index) => ({ ...call, id: call.id || `call_${iteration}_${index}` }));
    messages.push({ role: 'assistant', content: answer.text, toolCalls });
    if (toolCalls.length === 0) {
      const steering = ports.takeSteering();
      if (steering.length === 0) return outcome;
      for (const content of steering) messages.push({ role: 'user', content });
      continue;
    }
    for (const call of toolCalls) {
      ports.onToolCall(call.id, call.name, parseOrText(call.arguments));
      const output = await ports.callTool(call.name, call.arguments, signal);
      signal.throwIfAborted();
      ports.onToolResult(call.id, call.name, output);
      messages.push({ role: 'tool', toolCallId: call.id, content: output });
    }
  }
  throw new TooManyIterations(`The turn was stopped after ${input.maxIterations} rounds of tool calls.`);
}

function add(sum: number | null, more: number | null): number | null {
  return more === null ? sum : (sum ?? 0) + more;
}

function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
