/**
 * One attempt: begins an answer and watches over its silence. Time counts only while somebody waits for the next event, so
 * a slow reader is never taken for a silent provider.
 */
import { ModelProviderError } from '../providers/model-provider.port.ts';
import type { ModelEvent, ModelProvider, ModelRequest } from '../providers/model-provider.port.ts';
import type { Patience } from './patience.ts';

/** Pulls the first event, so that what fails before it can be tried again. */
export async function beginAnswer(
  provider: ModelProvider,
  request: ModelRequest,
  { firstTokenMs, idleMs }: Pick<Patience, 'firstTokenMs' | 'idleMs'>,
): Promise<AsyncGenerator<ModelEvent>> {
  const silence = new AbortController();
  const watch = createWatch(firstTokenMs, idleMs, (waited) =>
    silence.abort(
      new ModelProviderError(
        watch.alive ? 'broken' : 'unavailable',
        watch.alive
          ? `The answer of the model stopped: nothing came for ${waited / 1_000} s.`
          : `The model did not begin to answer within ${waited / 1_000} s.`,
      ),
    ),
  );
  const signal = AbortSignal.any([request.signal, silence.signal]);
  const onAlive = (): void => {
    request.onAlive?.();
    watch.touch();
  };
  const events = provider.stream({ ...request, signal, onAlive })[Symbol.asyncIterator]();
  const next = async (): Promise<IteratorResult<ModelEvent>> => {
    watch.start();
    try {
      return await events.next();
    } catch (error) {
      throw silence.signal.aborted && !request.signal.aborted ? silence.signal.reason : error;
    } finally {
      watch.stop();
    }
  };
  const first = await next();
  watch.touch();
  return rest(first, next, () => events.return?.(undefined));
}

async function* rest(
  first: IteratorResult<ModelEvent>,
  next: () => Promise<IteratorResult<ModelEvent>>,
  close: () => Promise<unknown> | undefined,
): AsyncGenerator<ModelEvent> {
  let ended = false;
  try {
    for (let result = first; !result.done; result = await next()) yield result.value;
    ended = true;
  } catch (error) {
    ended = true;
    throw error;
  } finally {
    // A reader that leaves early closes the upstream.
    if (!ended) await close();
  }
}

interface Watch {
  readonly alive: boolean;
  start(): void;
  touch(): void;
  stop(): void;
}

function createWatch(firstMs: number, idleMs: number, onSilence: (waitedMs: number) => void): Watch {
  let timer: NodeJS.Timeout | undefined;
  let alive = false;
  const stop = (): void => clearTimeout(timer);
  const start = (): void => {
    stop();
    const ms = alive ? idleMs : firstMs;
    timer = setTimeout(() => onSilence(ms), ms);
  };
  return {
    get alive() {
      return alive;
    },
    start,
    touch: () => {
      const first = !alive;
      alive = true;
      if (first) {
        if (timer !== undefined) start();
      } else timer?.refresh();
    },
    stop: () => {
      stop();
      timer = undefined;
    },
  };
}
