/**
 * Runs one turn of a session and tells its socket everything: exactly one of done, aborted or error at the end.
 *
 * The session's text history is written whatever the end was, so that a stopped request is never taken up again by
 * the next message; a closed socket gets no frame at all.
 */
import type { Agent } from '../agents/agent.ts';
import { runAgent, type RunParts } from '../agents/run-agent.ts';
import type { LoopMessage, OfferedTool } from '../loop/conversation.ts';
import { type CallModel, ModelError } from '../loop/model.ts';
import type { ToolServer } from '../loop/tool-server.ts';
import type { RunningTurn, Session, SessionStore, TextMessage } from '../sessions/session-store.ts';
import type { Approvals } from './approvals.ts';
import { doneFrame, refuse } from './frames.ts';
import type { ServerFrame } from './frames.ts';

export interface TurnPorts extends RunParts {
  readonly agent: Agent;
  readonly callModel: CallModel;
  readonly callTool: ToolServer['callTool'];
  readonly approvals: Approvals;
  /** The tools listed when the socket opened. */
  readonly tools: Promise<readonly OfferedTool[]>;
  readonly send: (frame: ServerFrame) => void;
  readonly takeSteering: () => readonly string[];
  readonly sessions: SessionStore;
}

const CHARACTERS_PER_TOKEN = 4;
export const NOT_APPROVED = 'Error: the call was not approved, so it was not made.';

export async function runTurn(session: Session, turn: RunningTurn, content: string, ports: TurnPorts): Promise<void> {
  const { signal } = turn.abort;
  const { agent, approvals } = ports;
  const said: string[] = [];
  const asked = [content];
  const takeSteering = (): readonly string[] => {
    const taken = ports.takeSteering();
    asked.push(...taken);
    return taken;
  };
  let end: ServerFrame;
  try {
    const history = recentHistory(session, ports).map(toLoopMessage);
    const outcome = await runAgent(
      {
        agent,
        callModel: ports.callModel,
        channel: 'ws',
        turnId: turn.id,
        history,
        content,
        tools: await orAbort(ports.tools, signal),
      },
      {
        takeSteering,
        callTool: async (name, args, stop) =>
          (await approvals.allow(name, args, stop)) ? ports.callTool(name, args, stop) : NOT_APPROVED,
        onText: (delta) => {
          said.push(delta);
          ports.send({ type: 'chunk', content: delta });
        },
        onThinking: (delta) => ports.send({ type: 'thinking', content: delta }),
        onToolCall: (id, name, args) => ports.send({ type: 'tool_call', id, name, args }),
        onToolResult: (id, name, output) => ports.send({ type: 'tool_result', id, name, output }),
      },
      ports,
      signal,
    );
    end = doneFrame(outcome, agent.config.model?.provider ?? '', agent.config.maxContextTokens);
  } catch (error) {
    end = signal.aborted ? { type: 'aborted' } : refuse(codeOf(error), (error as Error).message);
  }
  // What came too late to steer is part of what was asked all the same.
  takeSteering();
  const ending =
    end.type === 'done' ? '' : `[this answer was ${end.type === 'aborted' ? 'stopped' : 'cut off by an error'}]`;
  ports.sessions.append(
    session,
    { role: 'user', content: asked.join('\n\n') },
    { role: 'assistant', content: [said.join(''), ending].filter(Boolean).join('\n') },
  );
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

function toLoopMessage({ role, content }: TextMessage): LoopMessage {
  return role === 'assistant' ? { role, content, toolCalls: [] } : { role, content };
}

function recentHistory(session: Session, { agent, sessions, send, events }: TurnPorts): readonly TextMessage[] {
  const { messages, dropped } = sessions.recent(session, agent.config.maxContextTokens * CHARACTERS_PER_TOKEN);
  if (dropped > 0) {
    const kept = messages.filter(({ role }) => role === 'user').length;
    const reason = 'the history is longer than the context';
    send({ type: 'history_trimmed', dropped_messages: dropped, kept_turns: kept, reason });
    events.add({ type: 'history_trimmed', dropped_messages: dropped, agent_alias: agent.config.alias, channel: 'ws' });
  }
  return messages;
}

export function codeOf(error: unknown): 'AUTH_ERROR' | 'PROVIDER_ERROR' | 'AGENT_ERROR' {
  return error instanceof ModelError ? error.code : 'AGENT_ERROR';
}
