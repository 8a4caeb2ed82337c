/**
 * Looks for credentials on a thread of its own. Guarantees that no text holds the broker up: one that is too long, takes too long or
 * breaks the thread is said to be one that could not be looked through, and the thread is begun anew.
 */
import { Worker } from 'node:worker_threads';
import { type CredentialScanner, type FoundCredential, MOST_SCANNED, unscanned } from '../credential.ts';

export interface ScannerOptions {
  readonly timeoutMs?: number;
  /** What the thread runs. */
  readonly worker?: URL;
}

export interface RunningScanner extends CredentialScanner {
  stop(): Promise<void>;
}

interface Asked {
  readonly text: string;
  readonly answer: (found: readonly FoundCredential[] | undefined) => void;
}

/** Beside its source under a test, beside its built form otherwise. */
const WORKER = new URL(import.meta.url.endsWith('.ts') ? './scan-worker.ts' : './scan-worker.js', import.meta.url);
const THREAD_MEGABYTES = 256;

export const createScanner = ({ timeoutMs = 5_000, worker = WORKER }: ScannerOptions = {}): RunningScanner => {
  let thread: Worker | undefined;
  let nextId = 1;
  const open = new Map<number, Asked>();

  /** Whatever was asked of it is answered, and the next text gets a new one. */
  const giveUp = (gone: Worker): void => {
    if (thread !== gone) return;
    thread = undefined;
    for (const { answer } of open.values()) answer(undefined);
    open.clear();
    void gone.terminate();
  };
  const begin = (): Worker => {
    // It reads no variable and no argument: it has no business with either.
    const begun = new Worker(worker, {
      env: {},
      argv: [],
      resourceLimits: { maxOldGenerationSizeMb: THREAD_MEGABYTES },
    });
    begun.unref();
    begun.on('message', ({ id, found }: { id: number; found: readonly FoundCredential[] | undefined }) => {
      open.get(id)?.answer(found);
      open.delete(id);
    });
    begun.on('error', () => giveUp(begun));
    begun.on('exit', () => giveUp(begun));
    return begun;
  };

  return {
    scan: async (text) => {
      if (text === '') return [];
      if (text.length > MOST_SCANNED) return unscanned(text, 'is too long to be looked through');
      const asked = (thread ??= begin());
      const id = nextId++;
      let timer: NodeJS.Timeout | undefined;
      const found = await new Promise<readonly FoundCredential[] | undefined>((answer) => {
        open.set(id, { text, answer });
        timer = setTimeout(() => giveUp(asked), timeoutMs);
        asked.postMessage({ id, text });
      }).finally(() => clearTimeout(timer));
      return found ?? unscanned(text, 'could not be looked through');
    },
    stop: async () => {
      const ended = thread;
      if (ended === undefined) return;
      giveUp(ended);
      await ended.terminate();
    },
  };
};
