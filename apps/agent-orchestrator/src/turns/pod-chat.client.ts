/** /ws/chat of a pod. A frame larger than ours, a flood or a silence of the pod hurts its own conversation only. */
import { currentTraceparent } from '@bravo/chassis/trace-context';
import { Fault } from '@bravo/faults';
import { WebSocket } from 'ws';
import { AGENT_ALIAS } from '../pods/pod-spec.ts';
import type { OpenPodChat, PodChat } from './pod-chat.ts';
import { type PodFrame, readPodFrame } from './pod-frame.ts';

const GREETING_TIMEOUT_MS = 10_000;
const ABORT_TIMEOUT_MS = 700;
const MAX_FRAME_BYTES = 2 * 1024 * 1024;
/** Frames read and not yet looked at; beyond it the socket is not read. */
const MAX_WAITING = 256;

export const openPodChat: OpenPodChat = async ({ host, port }, secret, conversationId) => {
  const authorization = `Bearer ${secret}`;
  const traceparent = currentTraceparent();
  const query = new URLSearchParams({ agent: AGENT_ALIAS, session_id: conversationId });
  const socket = new WebSocket(`ws://${host}:${port}/ws/chat?${query}`, ['zeroclaw.v1'], {
    headers: { authorization, ...(traceparent && { traceparent }) },
    handshakeTimeout: GREETING_TIMEOUT_MS,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    followRedirects: false,
  });
  const inbox = new FrameInbox(socket);
  const greeting = await inbox.next(GREETING_TIMEOUT_MS);
  if (greeting?.type !== 'session_start') {
    socket.terminate();
    throw new Fault('pod_unavailable', 'The agent pod did not greet. Try again.', { cause: inbox.error ?? greeting });
  }
  const send = (frame: object): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
  };
  const chat: PodChat = {
    messageCount: greeting.messageCount,
    send: (content) => send({ type: 'message', content }),
    deny: (requestId) => send({ type: 'approval_response', request_id: requestId, decision: 'deny' }),
    async *frames() {
      for (let frame = await inbox.next(); frame; frame = await inbox.next()) yield frame;
    },
    abort: async () => {
      const url = `http://${host}:${port}/api/sessions/${encodeURIComponent(conversationId)}/abort`;
      await fetch(url, { method: 'POST', headers: { authorization }, signal: AbortSignal.timeout(ABORT_TIMEOUT_MS) })
        .then((answer) => answer.body?.cancel())
        .catch(() => undefined);
    },
    close: () => {
      socket.close();
      // A pod that does not answer the closing handshake keeps no socket of ours.
      setTimeout(() => socket.terminate(), 500).unref();
    },
  };
  return chat;
};

/** Frames in order, with an end; what nobody knows is dropped here. */
class FrameInbox {
  error: Error | undefined;
  readonly #socket: WebSocket;
  readonly #waiting: PodFrame[] = [];
  #closed = false;
  #wake: () => void = () => undefined;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data, binary) => {
      const frame = binary ? undefined : readPodFrame(String(data));
      if (!frame) return;
      this.#waiting.push(frame);
      if (this.#waiting.length >= MAX_WAITING) socket.pause();
      this.#wake();
    });
    socket.on('error', (error) => (this.error = error));
    socket.on('close', () => {
      this.#closed = true;
      this.#wake();
    });
  }

  /** `undefined` when the socket has closed, or nothing came in time. */
  async next(timeoutMs?: number): Promise<PodFrame | undefined> {
    const deadline = timeoutMs === undefined ? undefined : Date.now() + timeoutMs;
    for (;;) {
      const frame = this.#waiting.shift();
      if (frame) {
        if (this.#socket.isPaused) this.#socket.resume();
        return frame;
      }
      const left = deadline === undefined ? undefined : deadline - Date.now();
      if (this.#closed || (left !== undefined && left <= 0)) return undefined;
      await new Promise<void>((resolve) => {
        const timer = left === undefined ? undefined : setTimeout(resolve, left);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
}
