/**
 * One `/ws/chat` connection: frames in and out, steering, approvals, and the rule that a closed socket cancels its turn.
 *
 * It runs at most one turn per session and holds no state that outlives the socket except the session's history.
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import type { WebSocket } from 'ws';
import type { Agent } from '../agents/agent.ts';
import type { RunParts } from '../agents/run-agent.ts';
import type { OfferedTool } from '../loop/conversation.ts';
import type { ToolServer } from '../loop/tool-server.ts';
import { type KeptMessage, type RunningTurn, type Session, SessionStore } from '../sessions/session-store.ts';
import { withTraceparent } from '../traces/trace-parent.ts';
import { Approvals } from './approvals.ts';
import { type ClientFrame, parseClientFrame, refuse } from './frames.ts';
import type { ErrorCode, ServerFrame } from './frames.ts';
import { runTurn } from './run-turn.ts';

export interface ChatPorts extends RunParts {
  readonly sessions: SessionStore;
  readonly log: (message: string) => void;
  /** How long an approval is waited for; 120 s but in specs. */
  readonly approvalSeconds?: number;
}

const STEERING_LIMIT = 32;
const PING_MS = 30_000;
const QUEUE_MS = 30_000;
const CLOSE_ERROR = 1011;

export class Chat {
  readonly #steering: string[] = [];
  readonly #closed = new AbortController();
  readonly #toolServer: ToolServer;
  readonly #tools: Promise<readonly OfferedTool[]>;
  readonly #approvals: Approvals;
  #session: Session;
  #ownTurn: AbortController | undefined;

  /** `traceparent`: header of the upgrade; the orchestrator opens one socket for each turn. */
  constructor(
    private readonly socket: WebSocket,
    private readonly agent: Agent,
    session: Session,
    private readonly ports: ChatPorts,
    private readonly traceparent?: unknown,
  ) {
    this.#session = session;
    this.#toolServer = agent.openToolServer();
    this.#tools = withTraceparent(traceparent, () => listTools(this.#toolServer, this.#closed.signal, ports.log));
    this.#approvals = new Approvals(agent.config, (request) => this.#send(request), ports.approvalSeconds);
    const ping = setInterval(() => socket.ping(), PING_MS);
    socket.on('message', (data, isBinary) => {
      const frame = isBinary ? refuse('INVALID_JSON', 'Frames are text.') : parseClientFrame(data.toString());
      if (frame.type === 'error') this.#send(frame);
      else this.#receive(frame);
    });
    socket.on('error', (error) => ports.log(`connection failed: ${error.message}`));
    socket.on('close', () => {
      clearInterval(ping);
      this.#session.listeners.delete(this.#push);
      this.#closed.abort();
      this.#approvals.close();
      this.#ownTurn?.abort();
    });
  }

  greet(cwd: string | null): void {
    if (cwd !== null && !isWithin(this.agent.config.workspace, cwd))
      return this.#refuseConnection('INVALID_CWD', NO_CWD);
    this.#session.listeners.add(this.#push);
    const count = this.ports.sessions.count(this.#session.id);
    const name = this.ports.sessions.nameOf(this.#session.id);
    this.#send({
      type: 'session_start',
      session_id: this.#session.id,
      resumed: count > 0,
      message_count: count,
      ...(name !== undefined && { name }),
    });
  }

  #receive(frame: ClientFrame): void {
    if (frame.type === 'connect') return this.#connect(frame.sessionId, frame.cwd);
    if (frame.type === 'approval_response') {
      if (this.#approvals.answer(frame.requestId, frame.decision)) return;
      return this.#send(refuse('INVALID_APPROVAL_RESPONSE', 'Nothing of that request_id waits on this connection.'));
    }
    if (!this.#ownTurn) return void this.#startTurn(frame.content);
    if (this.#ownTurn.signal.aborted)
      return this.#send(refuse('STEERING_CLOSED', 'The turn is being stopped; send the message again after its end.'));
    if (this.#steering.length >= STEERING_LIMIT) {
      const limit = `No more than ${STEERING_LIMIT} messages can wait for a running turn.`;
      return this.#send(refuse('STEERING_QUEUE_FULL', limit));
    }
    this.#steering.push(frame.content);
  }

  #connect(sessionId: string | undefined, cwd: string | undefined): void {
    if (cwd !== undefined && !isWithin(this.agent.config.workspace, cwd))
      return this.#refuseConnection('INVALID_CWD', NO_CWD);
    const id = sessionId === undefined ? undefined : SessionStore.normalize(sessionId);
    if (id !== undefined && id !== this.#session.id && !this.#ownTurn) {
      this.#session.listeners.delete(this.#push);
      this.#session = this.ports.sessions.open(id, this.agent.config.alias);
      this.#session.listeners.add(this.#push);
    }
    this.#send({ type: 'connected', message: 'connected' });
  }

  async #startTurn(content: string): Promise<void> {
    const { callModel, config } = this.agent;
    if (callModel === undefined) {
      const setting = `agents.${config.alias}.model_provider`;
      return this.#refuseConnection('NEEDS_ONBOARDING', `This agent has no model; name one in ${setting}.`);
    }
    const { sessions } = this.ports;
    const session = this.#session;
    // Set before anything is awaited: what comes while it waits in line is steering of this turn.
    const place = new AbortController();
    this.#ownTurn = place;
    const ended = AbortSignal.any([this.#closed.signal, place.signal]);
    let turn: RunningTurn | undefined;
    while (turn === undefined) {
      const refused = await sessions.waitForTurn(session, QUEUE_MS, ended);
      if (refused !== undefined || this.#closed.signal.aborted) return this.#leaveQueue(refused);
      turn = sessions.beginTurn(session);
    }
    this.#ownTurn = turn.abort;
    const ports = {
      ...this.ports,
      agent: this.agent,
      callModel,
      callTool: this.#toolServer.callTool,
      approvals: this.#approvals,
      tools: this.#tools,
      send: (frame: ServerFrame) => {
        // Its last frame may be answered at once, and that answer starts the next turn.
        if (['done', 'aborted', 'error'].includes(frame.type)) this.#ownTurn = undefined;
        this.#send(frame);
      },
      takeSteering: () => this.#steering.splice(0),
    };
    await withTraceparent(this.traceparent, () => runTurn(session, turn, content, ports));
  }

  #leaveQueue(why: 'full' | 'late' | 'gone' | undefined): void {
    this.#ownTurn = undefined;
    this.#steering.length = 0;
    if (why !== 'full' && why !== 'late') return;
    const code = why === 'full' ? 'SESSION_QUEUE_FULL' : 'SESSION_QUEUE_TIMEOUT';
    this.#send(refuse(code, 'A turn of this session is running on another connection.'));
  }

  readonly #push = ({ role, content, created_at }: KeptMessage): void => {
    if (this.#ownTurn) return;
    this.#send({ type: 'message', session_id: this.#session.id, role, content, source: 'api', timestamp: created_at });
  };

  #refuseConnection(code: ErrorCode, message: string): void {
    this.#send(refuse(code, message));
    this.socket.close(CLOSE_ERROR, code);
  }

  #send(frame: ServerFrame): void {
    if (this.socket.readyState === this.socket.OPEN) this.socket.send(JSON.stringify(frame));
  }
}

const NO_CWD = "cwd must be a directory within the agent's workspace.";

function isWithin(workspace: string | undefined, cwd: string): boolean {
  if (workspace === undefined || !path.isAbsolute(cwd)) return false;
  const relative = path.relative(workspace, path.resolve(cwd));
  if (relative === '..' || relative.startsWith(`..${path.sep}`)) return false;
  return statSync(cwd, { throwIfNoEntry: false })?.isDirectory() ?? false;
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
