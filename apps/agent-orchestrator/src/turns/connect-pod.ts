/** Gets a turn its pod and an open socket to it. A pod that died while it was idle is replaced once: nothing was sent to it yet. */
import { inSpan } from '@bravo/chassis/spans';
import type { EnsureAgentPod } from '../pods/ensure-agent-pod.ts';
import type { LivePod } from '../pods/live-pod.ts';
import type { OpenPodChat, PodChat } from './pod-chat.ts';
import type { StartedTurn } from './turn-store.ts';

/** What a turn holds of its pod by now; whoever stops the turn has to end the pod though its socket is not open yet. */
export interface PodConnection {
  pod: LivePod | undefined;
  chat: PodChat | undefined;
}

export interface ConnectPodParts {
  readonly ensureAgentPod: EnsureAgentPod;
  readonly openChat: OpenPodChat;
  releasePod(podId: string, reason: string): Promise<void>;
}

const ATTEMPTS = 2;

/** Fills `connection` as it goes. @returns the two, or `undefined` when the turn was stopped meanwhile. */
export const connectPod = async (
  { ensureAgentPod, openChat, releasePod }: ConnectPodParts,
  connection: PodConnection,
  { conversationId, owner, rootId }: Pick<StartedTurn, 'conversationId' | 'owner' | 'rootId'>,
  onWaking: (attempt: number) => void,
  signal: AbortSignal,
): Promise<{ readonly pod: LivePod; readonly chat: PodChat } | undefined> => {
  for (let attempt = 1; ; attempt += 1) {
    onWaking(attempt);
    const pod = await inSpan('ensure-agent-pod', () => ensureAgentPod(conversationId, owner, rootId));
    connection.pod = pod;
    if (signal.aborted) return undefined;
    try {
      const chat = await openChat(pod.endpoint, pod.secret, conversationId);
      connection.chat = chat;
      return signal.aborted ? undefined : { pod, chat };
    } catch (error) {
      await releasePod(pod.id, 'it did not answer');
      if (attempt === ATTEMPTS) throw error;
    }
  }
};
