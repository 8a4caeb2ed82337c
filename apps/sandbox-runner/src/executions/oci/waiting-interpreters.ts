/**
 * Interpreters that have started and wait for their script, each in a cell of its own, each for one program only. They read the
 * script from a named pipe under the script's own name, so a program cannot tell that its interpreter waited: when it is
 * released the real file takes the pipe's name, and then the same bytes go through the pipe.
 */
import { close, constants, open, type NoParamCallback } from 'node:fs';
import { rename } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { LANGUAGES, type Language, type Limits, type Program } from '../sandbox-backend.port.ts';
import type { Cell } from './cell.ts';
import { scriptName } from './command-line.ts';

const openFile = promisify(open);
const closeFile = promisify((fd: number, done: NoParamCallback) => close(fd, done));

export interface WaitingInterpreter {
  readonly cell: Cell;
  readonly language: Language;
  /** Writing end of the script's pipe. Held by us alone: if we die, the interpreter reads an empty script and ends. */
  readonly pipe: number;
}

export interface WarmSettings {
  /** How many wait per language; a language that is not named has none. */
  readonly sizes: Readonly<Partial<Record<Language, number>>>;
  readonly limits: Limits;
  /** A cell whose runtime has begun with the interpreter of the language, its script's pipe in place. */
  readonly start: (language: Language, script: string) => Promise<Cell>;
  readonly dispose: (cell: Cell) => void;
  readonly onTrouble: (error: unknown) => void;
}

/** At most ten starts a second, one at a time: a burst is served cold rather than slowed down by its own refill. */
const START_EVERY_MS = 100;
const TRY_AGAIN_AFTER_MS = 5_000;
const READY_WITHIN_MS = 20_000;

const OTHER_ENCODING = /^[ \t\f]*#.*?coding[:=][ \t]*(?!utf-?8)[-_.a-zA-Z0-9]+/im;

/**
 * Whether an interpreter that waits does for this program exactly what one of its own would: what an interpreter reads before
 * its script (environment, its limit of memory, package.json) must be what it was started with.
 */
export const maybeWarm = (program: Program, limits: Limits): boolean => {
  if (Object.keys(program.env).length > 0 || program.limits.memoryMb > limits.memoryMb) return false;
  const names = new Set(program.files.map(({ path }) => path));
  const script = scriptName(program.language, new Set());
  if (names.has(script) || names.has(`.${script}`)) return false;
  if (program.language === 'node') return program.limits.memoryMb === limits.memoryMb && !names.has('package.json');
  if (program.language === 'python') return !OTHER_ENCODING.test(program.code.split('\n', 2).join('\n'));
  return true;
};

export class WaitingInterpreters {
  readonly #settings: WarmSettings;
  readonly #waiting = new Map<Language, WaitingInterpreter[]>(LANGUAGES.map((language) => [language, []]));
  #refilling: Promise<void> | undefined;
  #closed = false;

  constructor(settings: WarmSettings) {
    this.#settings = settings;
  }

  get waiting(): readonly WaitingInterpreter[] {
    return [...this.#waiting.values()].flat();
  }

  /** One that waits and fits, or undefined: then the program starts cold. It is not given to anybody else ever. */
  take(program: Program): WaitingInterpreter | undefined {
    if (!maybeWarm(program, this.#settings.limits)) return undefined;
    const waiting = this.#waiting.get(program.language) ?? [];
    for (let found = waiting.shift(); found !== undefined; found = waiting.shift()) {
      this.refill();
      if (found.cell.runtime.isAlive()) return found;
      this.drop(found);
    }
    return undefined;
  }

  drop({ cell, pipe }: WaitingInterpreter): void {
    void closeFile(pipe).catch(this.#settings.onTrouble);
    this.#settings.dispose(cell);
  }

  /** Starts what is missing, in the background. */
  refill(): void {
    if (this.#refilling !== undefined || this.#closed) return;
    this.#refilling = this.#refill().finally(() => (this.#refilling = undefined));
  }

  /** Resolves when as many wait as should, or one could not be started. */
  async settled(): Promise<void> {
    await this.#refilling;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#refilling;
    for (const waiting of this.#waiting.values()) for (const each of waiting.splice(0)) this.drop(each);
  }

  #missing(): Language | undefined {
    return LANGUAGES.find(
      (language) => (this.#waiting.get(language)?.length ?? 0) < (this.#settings.sizes[language] ?? 0),
    );
  }

  async #refill(): Promise<void> {
    for (let language = this.#missing(); language !== undefined; language = this.#missing()) {
      await delay(START_EVERY_MS);
      if (this.#closed) return;
      try {
        this.#waiting.get(language)?.push(await this.#start(language));
      } catch (error) {
        // Programs of the language start cold meanwhile.
        this.#settings.onTrouble(error);
        setTimeout(() => this.refill(), TRY_AGAIN_AFTER_MS).unref();
        return;
      }
    }
  }

  async #start(language: Language): Promise<WaitingInterpreter> {
    const script = scriptName(language, new Set());
    const cell = await this.#settings.start(language, script);
    try {
      return { cell, language, pipe: await this.#whenItReads(cell, join(cell.paths.inside, script)) };
    } catch (error) {
      this.#settings.dispose(cell);
      throw error;
    }
  }

  /** The pipe can be opened for writing once the interpreter has it open for reading, which is the last thing it does by itself. */
  async #whenItReads(cell: Cell, path: string): Promise<number> {
    for (const until = Date.now() + READY_WITHIN_MS; Date.now() < until && !this.#closed; await delay(5)) {
      if (cell.runtime.exited) throw new Error('a waiting interpreter ended before it had a script');
      try {
        return await openFile(path, constants.O_WRONLY | constants.O_NONBLOCK);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
      }
    }
    throw new Error('a waiting interpreter did not get ready');
  }
}

/** Hands the script over and closes the pipe. Throws when the interpreter is gone; then it has read nothing. */
export const handOver = async (
  { cell, language, pipe }: WaitingInterpreter,
  script: string,
  text: string,
): Promise<void> => {
  const path = join(cell.paths.inside, script);
  const writer = new Socket({ fd: pipe, readable: false, writable: true });
  const failed = new Promise<never>((_, reject) => writer.once('error', reject));
  failed.catch(() => undefined);
  await cell.place([{ path: `.${script}`, content: Buffer.from(text, 'utf8'), mode: 0o644 }]);
  await rename(join(cell.paths.inside, `.${script}`), path);
  // Bash reads a pipe byte by byte, and its script later by name; so it becomes a bash that reads the file.
  const sent = language === 'bash' ? `exec "$BASH" /workspace/${script}\n` : text;
  await Promise.race([failed, new Promise<void>((resolve) => writer.end(sent, () => resolve()))]);
};
