/** Follows one conversation's event stream for as long as it is open, resuming after every loss at the last id it handed on; it must never hand an event on out of order. */
import { createParser } from 'eventsource-parser';
import type { TurnEvent } from './contract.ts';
import { call } from './http.client.ts';
import { type Problem, toProblem } from './problem.ts';

export interface FollowOptions {
  workspace: string;
  conversation: string;
  /** Position of the snapshot the caller holds. */
  after: string;
  onEvent: (event: TurnEvent) => void;
  /** `live` once the server answers; `lost` while reconnecting. */
  onConnection: (state: 'live' | 'lost') => void;
  /** The stream will not come back by itself (signed out, not found, ended). */
  onEnd: (problem: Problem) => void;
}

/** The server sends a comment every 10 s; this much silence means the connection is dead whatever the socket says. */
const SILENCE_MS = 30_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;

/** @returns a function that stops following. */
export function followEvents(options: FollowOptions): () => void {
  const stop = new AbortController();
  void follow(options, stop.signal);
  return () => stop.abort();
}

async function follow(options: FollowOptions, stopped: AbortSignal): Promise<void> {
  let lastId = '';
  let wait = FIRST_WAIT_MS;
  while (!stopped.aborted) {
    try {
      await readOnce(
        options,
        lastId,
        stopped,
        (event) => {
          if (event.id !== '') lastId = event.id;
          options.onEvent(event);
        },
        () => {
          wait = FIRST_WAIT_MS;
        },
      );
    } catch (error) {
      if (stopped.aborted) return;
      const problem = toProblem(error);
      if (problem.status >= 400 && problem.status < 500 && problem.status !== 408 && problem.status !== 429) {
        options.onEnd(problem);
        return;
      }
    }
    if (stopped.aborted) return;
    options.onConnection('lost');
    await pause(wait, stopped);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}

async function readOnce(
  { workspace, conversation, after, onConnection }: FollowOptions,
  lastId: string,
  stopped: AbortSignal,
  onEvent: (event: TurnEvent) => void,
  onLive: () => void,
): Promise<void> {
  const silent = new AbortController();
  let timer = setTimeout(() => silent.abort(), SILENCE_MS);
  try {
    const response = await call(
      `/${workspace}/bravo/conversations/${conversation}/events?after=${encodeURIComponent(after)}`,
      {
        accept: 'text/event-stream',
        ...(lastId === '' ? {} : { headers: { 'last-event-id': lastId } }),
        signal: AbortSignal.any([stopped, silent.signal]),
      },
    );
    onLive();
    onConnection('live');
    const parser = createParser({
      onEvent: (event) => onEvent({ id: event.id ?? '', event: event.event ?? 'message', data: readData(event.data) }),
    });
    const decoder = new TextDecoder();
    const reader = response.body?.getReader();
    while (reader) {
      const { done, value } = await reader.read();
      if (done || stopped.aborted) return;
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), SILENCE_MS);
      parser.feed(decoder.decode(value, { stream: true }));
    }
  } finally {
    clearTimeout(timer);
  }
}

function readData(data: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Waits, but not longer than until the network is said to be back. */
function pause(ms: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      stopped.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener('online', done);
    stopped.addEventListener('abort', done);
  });
}
