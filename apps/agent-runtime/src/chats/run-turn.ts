/**
 * Runs one turn of a session and tells its socket everything: exactly one of done, aborted or error at the end.
 *
 * The session's text history is written whatever the end was, so that a stopped request is never taken up again by
 * the next message; a closed socket gets no frame at all.
 */
import type { LoopMessage, OfferedTool } from '../loop/conversation.ts';
import { type CallModel, ModelError } from '../loop/model.ts';
import { runAgentLoop } from '../loop/run-agent-loop.ts';
import type { ToolServer } from '../loop/tool-server.ts';
import type { RunningTurn, Session, SessionStore } from '../sessions/session-store.ts';
import { doneFrame, refuse } from './frames.ts';
import type { ServerFrame } from './frames.ts';

export interface AgentSettings {
  readonly systemPrompt: string;
  readonly maxIterations: number;
  readonly maxContextTokens: number;
  readonly provider: string;
}

export interface TurnPorts {
  readonly callModel: CallModel;
  readonly callTool: ToolServer['callTool'];
  /** The tools listed when the socket opened. */
  readonly tools: Promise<readonly OfferedTool[]>;
  readonly send: (frame: ServerFrame) => void;
  readonly takeSteering: () => readonly string[];
  readonly sessions: SessionStore;
}

const CHARACTERS_PER_TOKEN = 4;

export async function runTurn(
  session: Session,
  turn: RunningTurn,
  content: string,
  agent: AgentSettings,
  ports: TurnPorts,
): Promise<void> {
  const { signal } = turn.abort;
  const said: string[] = [];
  const asked = [content];
  const takeSteering = (): readonly string[] => {
    const taken = ports.takeSteering();
    asked.push(...taken);
    return taken;
  };
  trimHistory(session, agent, ports);
  let end: ServerFrame;
  try {
    const history = session.history.map(toLoopMessage);
    const outcome = await runAgentLoop(
      { ...agent, messages: [...history, { role: 'user', content }], tools: await orAbort(ports.tools, signal) },
      {
        ...ports,
        takeSteering,
        onText: (delta) => {
          said.push(delta);
          ports.send({ type: 'chunk', content: delta });
        },
        onToolCall: (id, name, args) => ports.send({ type: 'tool_call', id, name, args }),
        onToolResult: (id, name, output) => ports.send({ type: 'tool_result', id, name, output }),
      },
      signal,
    );
    end = doneFrame(outcome, agent.provider, agent.maxContextTokens);
  } catch (error) {
    end = signal.aborted ? { type: 'aborted' } : refuse(codeOf(error), (error as Error).message);
  }
  const ending =
    end.type === 'done' ? '' : `[this answer was ${end.type === 'aborted' ? 'stopped' : 'cut off by an error'}]`;
  session.history.push({ role: 'user', content: asked.join('\n\n') });
  session.history.push({ role: 'assistant', content: [said.join(''), ending].filter(Boolean).join('\n') });
  // The turn is over before its last frame leaves, so a message sent in answer to that frame starts the next turn.
  ports.sessions.endTurn(session, end.type === 'error');
  ports.send(end);
}

/** Waits for `work`, but never longer than the turn lives: a stopped turn must not hang on a slow tool server. */
function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error('aborted'));
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function toLoopMessage({ role, content }: Session['history'][number]): LoopMessage {
  return role === 'assistant' ? { role, content, toolCalls: [] } : { role, content };
}

function trimHistory(session: Session, agent: AgentSettings, ports: TurnPorts): void {
  const dropped = ports.sessions.trim(session, agent.maxContextTokens * CHARACTERS_PER_TOKEN);
  if (dropped === 0) return;
  const kept = session.history.filter(({ role }) => role === 'user').length;
  ports.send({
    type: 'history_trimmed',
    dropped_messages: dropped,
    kept_turns: kept,
    reason: 'the history is longer than the context',
  });
}

function codeOf(error: unknown): 'AUTH_ERROR' | 'PROVIDER_ERROR' | 'AGENT_ERROR' {
  return error instanceof ModelError ? error.code : 'AGENT_ERROR';
}
