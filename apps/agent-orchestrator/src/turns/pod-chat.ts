/** A conversation with a pod over one turn, whatever runtime is in it. */
import type { Endpoint } from '@bravo/container-runtime';
import type { PodFrame } from './pod-frame.ts';

export interface PodChat {
  /** What the pod remembers of the conversation; 0 for a fresh one. */
  readonly messageCount: number;
  send(content: string): void;
  deny(requestId: string): void;
  /** Ends when the socket does. */
  frames(): AsyncIterable<PodFrame>;
  /** Asks the pod to stop; whether it does shows in the frames. Never throws. */
  abort(): Promise<void>;
  close(): void;
}

/** @throws Fault pod_unavailable when the pod does not greet in time: nothing was sent to it then. */
export type OpenPodChat = (endpoint: Endpoint, secret: string, conversationId: string) => Promise<PodChat>;
