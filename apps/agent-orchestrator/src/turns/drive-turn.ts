/**
 * Drives one turn from its pod to its one end. It never begins a turn twice, never re-runs one that was cut off, and
 * stops saying anything the moment the lease is not this instance's any more.
 */
import type { TurnEvent } from '@bravo/events';
import { type Fault, toFault } from '@bravo/faults';
import type { ConversationStore } from '../conversations/conversation-store.ts';
import type { EnsureAgentPod } from '../pods/ensure-agent-pod.ts';
import type { LivePod } from '../pods/live-pod.ts';
import type { TurnStream } from '../turn-streams/turn-stream.ts';
import { firstMessage } from './first-message.ts';
import type { OpenPodChat, PodChat } from './pod-chat.ts';
import { createTextStream } from './stream-text.ts';
import { cancelled, type EndedTurn, failed, interrupted, type TurnEnd } from './turn-end.ts';
import { BEGINNING, socketClosed, step } from './turn-progress.ts';
import type { StartedTurn, TurnStore } from './turn-store.ts';

/** Why a turn is stopped from outside. */
export type StopReason = 'cancelled' | 'lease_lost' | 'shutdown' | 'too_long';

export interface DriveTurnParts {
  readonly turns: TurnStore;
  readonly conversations: ConversationStore;
  readonly stream: TurnStream;
  readonly ensureAgentPod: EnsureAgentPod;
  readonly openChat: OpenPodChat;
  releasePod(podId: string, reason: string): Promise<void>;
  /** Publishes the end of a turn; what fails is made good by the sweep. */
  publishEnd(turn: EndedTurn): Promise<void>;
  /** By this process's own clock. */
  holdsLease(conversationId: string): boolean;
  readonly turnMs: number;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
}

const KEEP_EVERY_MS = 400;
const ABORT_PATIENCE_MS = 900;
const FLUSH_MS = 10_000;
const CANCEL_FLUSH_MS = 300;
const HISTORY = 200;

/** `stop` is aborted with a StopReason. Resolves when the turn has ended, or is somebody else's. */
export const driveTurn = async (parts: DriveTurnParts, turn: StartedTurn, outer: AbortSignal): Promise<void> => {
  const { turns, stream, log } = parts;
  const place = { workspaceId: turn.owner.workspaceId, conversationId: turn.conversationId };
  const own = new AbortController();
  const signal = AbortSignal.any([outer, own.signal]);
  const text = createTextStream(stream, place, turn.id, () => parts.holdsLease(turn.conversationId));
  let progress = BEGINNING;
  let pod: LivePod | undefined;
  let chat: PodChat | undefined;

  const tell = (event: TurnEvent<'status' | 'message_start'>, id: string) =>
    stream.publish(place, { ...event, turn_id: turn.id }, `${turn.id}:${id}`).catch((err: unknown) => {
      log('an event of a turn could not be published', { turn: turn.id, event: event.event, err });
    });
  const stopped = new Promise<StopReason>((resolve) => {
    if (signal.aborted) resolve(signal.reason as StopReason);
    else signal.addEventListener('abort', () => resolve(signal.reason as StopReason), { once: true });
  });

  const tooLong = setTimeout(() => own.abort('too_long' satisfies StopReason), parts.turnMs);
  const keep = async (): Promise<void> => {
    const heard = await turns.keepText(turn.id, progress.text);
    if (heard === 'cancel') own.abort('cancelled' satisfies StopReason);
    if (heard === 'lost') own.abort('lease_lost' satisfies StopReason);
  };
  let keeping: Promise<void> | undefined;
  const keeper = setInterval(() => {
    keeping ??= keep()
      .catch((err: unknown) => log('what was said could not be kept yet', { turn: turn.id, err }))
      .finally(() => (keeping = undefined));
  }, KEEP_EVERY_MS);

  /** A pod and an open socket to it. A pod that died while idle is replaced once: nothing was sent to it yet. */
  const connect = async (): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      await tell({ event: 'status', data: { state: 'waking' } }, `waking:${attempt}`);
      pod = await parts.ensureAgentPod(turn.conversationId, turn.owner);
      if (signal.aborted) return;
      try {
        chat = await parts.openChat(pod.endpoint, pod.secret, turn.conversationId);
        return;
      } catch (error) {
        await parts.releasePod(pod.id, 'it did not answer');
        if (attempt === 2) throw error;
      }
    }
  };

  const converse = async (): Promise<TurnEnd> => {
    await connect();
    if (!pod || !chat || signal.aborted) return interrupted('The turn was stopped before it began.');
    await turns.assignPod(turn.id, pod.id);
    const history =
      chat.messageCount === 0
        ? await parts.conversations.before(turn.conversationId, turn.userMessage.seq, HISTORY)
        : [];
    await tell({ event: 'status', data: { state: 'running' } }, 'running');
    await tell({ event: 'message_start', data: { id: turn.assistantMessageId, role: 'assistant' } }, 'start');
    if (signal.aborted) return interrupted('The turn was stopped before it began.');
    chat.send(firstMessage(history, turn.userMessage.content));
    for await (const frame of chat.frames()) {
      const next = step(progress, frame);
      progress = next.progress;
      if (next.deny !== undefined) chat.deny(next.deny);
      text.push(next.delta);
      if (progress.end) return progress.end;
    }
    progress = socketClosed(progress);
    return progress.end ?? interrupted('The agent pod ended in the middle of the turn.');
  };

  /** The pod is given a moment to stop by itself; one that does not is ended, because effects of it may still be coming. */
  const stopPod = async (conversation: Promise<unknown>): Promise<void> => {
    if (!pod) return;
    if (!chat) return void parts.releasePod(pod.id, 'the turn was stopped').catch(() => undefined);
    const answered = conversation.then(() => true);
    void chat.abort();
    const quiet = await Promise.race([
      answered,
      new Promise<false>((resolve) => setTimeout(() => resolve(false), ABORT_PATIENCE_MS)),
    ]);
    if (!quiet) void parts.releasePod(pod.id, 'it did not stop when asked').catch(() => undefined);
  };

  const conversation = converse().catch((error: unknown): TurnEnd => endOfFault(toFault(error)));
  const first = await Promise.race([conversation, stopped.then((reason) => ({ reason }))]);
  let end: TurnEnd;
  if ('reason' in first) {
    if (first.reason === 'lease_lost') text.stop();
    else await stopPod(conversation);
    // It may have finished just before it was asked to stop: then that is what happened.
    end = progress.end?.status === 'completed' ? progress.end : endOfStop(first.reason);
  } else {
    end = first;
  }
  clearTimeout(tooLong);
  clearInterval(keeper);
  (chat as PodChat | undefined)?.close();
  await text.flush(end.status === 'completed' ? FLUSH_MS : CANCEL_FLUSH_MS);
  text.stop();
  if (signal.aborted && signal.reason === 'lease_lost')
    return log('a turn was left to another instance', { turn: turn.id });
  if (pod) (pod as LivePod).lastUsedAt = Date.now();
  const ended = await insist(() => turns.finish(turn.id, progress.text, end));
  if (ended) await parts.publishEnd(ended);
  log('a turn ended', {
    turn: turn.id,
    status: end.status,
    ...(end.status === 'completed' ? {} : { code: end.code, detail: end.detail }),
  });
  // What was still on its way to a pod is over before the next turn looks for one.
  if (!(outer.aborted && outer.reason === 'shutdown')) await conversation;
};

/** A database that is away for a moment must not make an interrupted turn of a finished one. */
const insist = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 6) throw error;
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
  }
};

const endOfStop = (reason: StopReason): TurnEnd => {
  switch (reason) {
    case 'cancelled':
      return cancelled;
    case 'too_long':
      return failed('deadline_exceeded', 'The turn took longer than a turn may. What had been said is kept.');
    case 'shutdown':
      return interrupted('The service was restarted.');
    case 'lease_lost':
      return interrupted('The process that drove the turn lost it.');
  }
};

const endOfFault = (fault: Fault): TurnEnd =>
  fault.code === 'internal'
    ? failed('turn_failed', 'The turn could not be finished. Try again.')
    : failed(fault.code, fault.detail);
