/**
 * One `/ws/chat` connection: frames in and out, steering, and the rule that a closed socket cancels its turn.
 *
 * It runs at most one turn per session and holds no state that outlives the socket except the session's history.
 */
import type { WebSocket } from 'ws';
import type { OfferedTool } from '../loop/conversation.ts';
import type { CallModel } from '../loop/model.ts';
import type { ToolServer } from '../loop/tool-server.ts';
import type { Session, SessionStore } from '../sessions/session-store.ts';
import { withTraceparent } from '../traces/trace-parent.ts';
import { parseClientFrame, refuse } from './frames.ts';
import type { ServerFrame } from './frames.ts';
import { runTurn } from './run-turn.ts';
import type { AgentSettings } from './run-turn.ts';

export interface ChatPorts {
  readonly agent: AgentSettings;
  readonly sessions: SessionStore;
  readonly callModel: CallModel;
  /** A session of its own with the tool server, as every socket gets. */
  readonly openToolServer: () => ToolServer;
  readonly log: (message: string) => void;
}

const STEERING_LIMIT = 32;
const PING_MS = 30_000;

/** `traceparent`: header of the upgrade; the orchestrator opens one socket for each turn. */
export function serveChat(socket: WebSocket, session: Session, ports: ChatPorts, traceparent?: unknown): void {
  const steering: string[] = [];
  const closed = new AbortController();
  const send = (frame: ServerFrame): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame));
  };
  const toolServer = ports.openToolServer();
  const tools = withTraceparent(traceparent, () => listTools(toolServer, closed.signal, ports.log));
  const ping = setInterval(() => socket.ping(), PING_MS);
  let ownTurn: AbortController | undefined;

  const startTurn = (content: string): void => {
    const turn = ports.sessions.beginTurn(session);
    if (!turn) {
      send(refuse('SESSION_QUEUE_FULL', 'A turn of this session is running on another connection.'));
      return;
    }
    ownTurn = turn.abort;
    const takeSteering = (): string[] => steering.splice(0);
    const turnPorts = { ...ports, callTool: toolServer.callTool, tools, send, takeSteering };
    const running = withTraceparent(traceparent, () => runTurn(session, turn, content, ports.agent, turnPorts));
    void running.finally(() => {
      if (ownTurn === turn.abort) ownTurn = undefined;
    });
  };

  socket.on('message', (data, isBinary) => {
    const frame = isBinary ? refuse('INVALID_JSON', 'Frames are text.') : parseClientFrame(data.toString());
    if (frame.type === 'error') return send(frame);
    if (frame.type === 'connect') return send({ type: 'connected', message: 'connected' });
    if (frame.type === 'approval_response') {
      // This pod never asks: what a person must decide is asked by the broker, and no pod can answer it.
      return send(refuse('INVALID_APPROVAL_RESPONSE', 'No approval was requested on this connection.'));
    }
    if (!ownTurn || session.turn?.abort !== ownTurn) return startTurn(frame.content);
    if (steering.length >= STEERING_LIMIT) {
      return send(
        refuse('STEERING_QUEUE_FULL', `No more than ${STEERING_LIMIT} messages can wait for a running turn.`),
      );
    }
    steering.push(frame.content);
  });
  socket.on('error', (error) => ports.log(`connection failed: ${error.message}`));
  socket.on('close', () => {
    clearInterval(ping);
    closed.abort();
    ownTurn?.abort();
  });

  send({
    type: 'session_start',
    session_id: session.id,
    resumed: session.history.length > 0,
    message_count: session.history.length,
  });
}

/** Tools as they are when the socket opens: now bound, the token may be offered others than at the start. */
async function listTools(
  server: ToolServer,
  signal: AbortSignal,
  log: (message: string) => void,
): Promise<readonly OfferedTool[]> {
  try {
    return await server.listTools(signal);
  } catch (error) {
    if (!signal.aborted) log(`the turn has no tools: ${(error as Error).message}`);
    return [];
  }
}
