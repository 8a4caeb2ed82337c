/**
 * Drives one turn from its pod to its one end. It never begins a turn twice, never re-runs one that was cut off, and
 * stops saying anything the moment the lease is not this instance's any more.
 */
import { createCounter, createTimer } from '@bravo/chassis/metrics';
import { startSpan, type StepSpan } from '@bravo/chassis/spans';
import { runInTrace } from '@bravo/chassis/trace-context';
import type { TurnEvent } from '@bravo/events';
import { type Fault, toFault } from '@bravo/faults';
import { type CompactConversation, readCompactCommand } from '../contexts/compact-conversation.ts';
import type { Recall, ToldBefore } from '../contexts/recall.ts';
import type { TurnStream } from '../turn-streams/turn-stream.ts';
import type { TellInstructions } from '../instructions/tell-instructions.ts';
import type { OpenTurn } from '../schedules/schedules.ts';
import { connectPod, type ConnectPodParts, type PodConnection } from './connect-pod.ts';
import { firstMessage } from './first-message.ts';
import { keepProgress } from './keep-progress.ts';
import { stopPod } from './stop-pod.ts';
import { createTextStream, type TextStream } from './stream-text.ts';
import { cancelled, type EndedTurn, failed, interrupted, type TurnEnd } from './turn-end.ts';
import { BEGINNING, endAtClose, step, type TurnProgress } from './turn-progress.ts';
import type { StartedTurn, TurnStore } from './turn-store.ts';

/** Why a turn is stopped from outside. */
export type StopReason = 'cancelled' | 'lease_lost' | 'shutdown' | 'too_long';

export interface DriveTurnParts extends ConnectPodParts {
  readonly turns: TurnStore;
  readonly recall: Recall;
  readonly tellInstructions: TellInstructions;
  readonly compactConversation: CompactConversation;
  readonly openTurn: OpenTurn;
  /** Ends the pod of a conversation where it is here. */
  releaseOf(conversationId: string, reason: string): Promise<void>;
  newNoticeId(): string;
  readonly stream: TurnStream;
  /** Publishes the end of a turn; what fails is made good by the sweep. */
  publishEnd(turn: EndedTurn): Promise<void>;
  /** By this process's own clock. */
  holdsLease(conversationId: string): boolean;
  readonly turnMs: number;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
}

const turnsEnded = createCounter('bravo_turns_total', 'Turns that ended, by how.', ['status']);
const turnTime = createTimer('bravo_turn_duration_seconds', 'Time from the start of a turn to its end.', ['status']);

const MAX_SHOWN_LINE = 400;
const FLUSH_MS = 10_000;
const CANCEL_FLUSH_MS = 300;

/** A turn while it is driven. */
interface Drive {
  readonly turn: StartedTurn;
  readonly signal: AbortSignal;
  readonly connection: PodConnection;
  readonly text: TextStream;
  progress: TurnProgress;
}

/** `outer` is aborted with a StopReason. Resolves when the turn has ended, or is somebody else's. */
export const driveTurn = async (parts: DriveTurnParts, turn: StartedTurn, outer: AbortSignal): Promise<void> => {
  const { turns, stream, log } = parts;
  const began = performance.now();
  const place = { workspaceId: turn.owner.workspaceId, conversationId: turn.conversationId };
  const own = new AbortController();
  const stop = (reason: StopReason): void => own.abort(reason);
  const drive: Drive = {
    turn,
    signal: AbortSignal.any([outer, own.signal]),
    connection: { pod: undefined, chat: undefined },
    text: createTextStream(stream, place, turn.id, () => parts.holdsLease(turn.conversationId)),
    progress: BEGINNING,
  };
  const tooLong = setTimeout(() => stop('too_long'), parts.turnMs);
  const keeping = keepProgress({
    checkIn: () => turns.checkIn(turn.id, drive.progress.text),
    onOrder: stop,
    onError: (err) => log('what was said could not be kept yet', { turn: turn.id, err }),
  });

  const conversation = converse(parts, drive).catch((error: unknown): TurnEnd => endOfFault(toFault(error)));
  const first = await Promise.race([conversation, untilStopped(drive.signal)]);
  const end = typeof first === 'string' ? await endStopped(parts, drive, first, conversation) : first;
  clearTimeout(tooLong);
  keeping.stop();
  drive.connection.chat?.close();
  await drive.text.flush(end.status === 'completed' ? FLUSH_MS : CANCEL_FLUSH_MS);
  drive.text.stop();
  if (drive.signal.reason === 'lease_lost') return log('a turn was left to another instance', { turn: turn.id });
  if (drive.connection.pod) drive.connection.pod.lastUsedAt = Date.now();
  const ended = await insist(() => turns.finish(turn.id, drive.progress.text, end));
  if (ended) {
    turnsEnded.count({ status: end.status });
    turnTime.observe((performance.now() - began) / 1_000, { status: end.status });
    await parts.publishEnd(ended);
  }
  log('a turn ended', {
    turn: turn.id,
    status: end.status,
    ...(end.status === 'completed' ? {} : { code: end.code, detail: end.detail }),
  });
  // What was still on its way to a pod is over before the next turn looks for one.
  if (!(outer.aborted && outer.reason === 'shutdown')) await conversation;
};

/** The loop runs in the pod, which is not trusted to tell of itself: its span is ours, from the open socket to the last frame. */
const converse = async (parts: DriveTurnParts, drive: Drive): Promise<TurnEnd> => {
  let loop: StepSpan | undefined;
  const openChat: DriveTurnParts['openChat'] = (...pod) => {
    loop ??= startSpan('run-agent-loop', { kind: 'client' });
    return runInTrace(loop.context, () => parts.openChat(...pod));
  };
  try {
    return await converseOver({ ...parts, openChat }, drive);
  } catch (error) {
    loop?.fail(error);
    throw error;
  } finally {
    loop?.end();
  }
};

/** From waking the pod to its last frame. */
const converseOver = async (parts: DriveTurnParts, drive: Drive): Promise<TurnEnd> => {
  const { turn, signal } = drive;
  const place = { workspaceId: turn.owner.workspaceId, conversationId: turn.conversationId };
  const tell = (event: TurnEvent, id: string): Promise<void> =>
    parts.stream.publish(place, { ...event, turn_id: turn.id }, `${turn.id}:${id}`).catch((err: unknown) => {
      parts.log('an event of a turn could not be published', { turn: turn.id, event: event.event, err });
    });
  // It is told while the pod is woken, and before anything else of the turn.
  let told: Promise<void> = Promise.resolve();
  const waking = (attempt: number): void => {
    told = told.then(() => tell({ event: 'status', data: { state: 'waking' } }, `waking:${attempt}`));
  };

  const begin = async (): Promise<void> => {
    await tell({ event: 'status', data: { state: 'running' } }, 'running');
    await tell({ event: 'message_start', data: { id: turn.assistantMessageId, role: 'assistant' } }, 'start');
  };
  const notice = async (
    kind: 'context_compacted' | 'history_left_out' | 'asked_again',
    text: string,
  ): Promise<void> => {
    const id = parts.newNoticeId();
    await tell({ event: 'notice', data: { id, kind, text } }, id);
  };

  const { line, answer } = await parts.openTurn(turn, signal);
  if (signal.aborted) return STOPPED_EARLY;
  if (answer !== '') {
    await begin();
    return say(drive, answer);
  }
  const rest = turn.userMessage.role === 'user' ? readCompactCommand(turn.userMessage.content) : undefined;
  let compacted = '';
  if (rest !== undefined) {
    const { done, sentence } = await parts.compactConversation(turn, signal);
    if (signal.aborted) return STOPPED_EARLY;
    // What the pod remembers is what was just compacted: the next one is told anew.
    if (done) await parts.releaseOf(turn.conversationId, 'the conversation was compacted');
    if (rest === '') {
      await begin();
      return say(drive, sentence);
    }
    compacted = sentence;
  }

  // While the pod is woken; its own failure is looked at below.
  const instructing = parts.tellInstructions(turn);
  instructing.catch(() => undefined);
  const connected = await connectPod(parts, drive.connection, turn, waking, signal).finally(() => told);
  if (!connected) return STOPPED_EARLY;
  const { pod, chat } = connected;
  const begun = begin();
  // Neither an end nor what the broker tells of the pod's calls may come before the beginning.
  const [, before] = await Promise.all([
    parts.turns.assignPod(turn.id, pod.id),
    chat.messageCount === 0 ? parts.recall(turn, signal) : NOTHING_BEFORE,
    instructing,
  ]).finally(() => begun);
  if (signal.aborted) return STOPPED_EARLY;
  if (turn.reason === 'schedule_due') await notice('asked_again', `Asked again: ${line.slice(0, MAX_SHOWN_LINE)}`);
  if (compacted !== '') await notice('context_compacted', compacted);
  if (before.notice !== '') await notice(before.leftOut > 0 ? 'history_left_out' : 'context_compacted', before.notice);
  chat.send(firstMessage(before.messages, line, turn.contextJson, before));
  for await (const frame of chat.frames()) {
    const next = step(drive.progress, frame);
    drive.progress = next.progress;
    if (next.deny !== undefined) chat.deny(next.deny);
    drive.text.push(next.delta);
    if (next.progress.end) return next.progress.end;
  }
  return endAtClose(drive.progress);
};

/** An answer of the platform's own: no pod has a part in it. */
const say = (drive: Drive, sentence: string): TurnEnd => {
  const said = step(drive.progress, { type: 'chunk', content: sentence });
  drive.text.push(said.delta);
  const done = step(said.progress, { type: 'done', fullResponse: sentence, inputTokens: 0, outputTokens: 0 });
  drive.progress = done.progress;
  return done.progress.end ?? STOPPED_EARLY;
};

const NOTHING_BEFORE: ToldBefore = { messages: [], summary: undefined, leftOut: 0, notice: '' };
const STOPPED_EARLY = interrupted('The turn was stopped before it began.');

const untilStopped = (signal: AbortSignal): Promise<StopReason> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(signal.reason as StopReason);
    else signal.addEventListener('abort', () => resolve(signal.reason as StopReason), { once: true });
  });

const endStopped = async (
  { releasePod }: DriveTurnParts,
  drive: Drive,
  reason: StopReason,
  conversation: Promise<TurnEnd>,
): Promise<TurnEnd> => {
  if (reason === 'lease_lost') drive.text.stop();
  else await stopPod(drive.connection, conversation, releasePod);
  // It may have finished just before it was asked to stop: then that is what happened.
  const { end } = drive.progress;
  return end?.status === 'completed' ? end : endOfStop(reason);
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
