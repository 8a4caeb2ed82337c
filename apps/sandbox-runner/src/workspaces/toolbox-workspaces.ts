/**
 * The files of conversations through their toolboxes: opened by nobody here, restored from the last snapshot when they are needed,
 * and an effect on them is done when its snapshot is kept and counts. One effect of a conversation at a time, on whichever runner.
 */
import { Fault } from '@bravo/faults';
import {
  ABSENT,
  type FileFacts,
  parsePath,
  shown,
  type ToolAnswer,
  type ToolRequest,
  Turnstile,
  untouchedFacts,
} from '@bravo/workspace-files';
import type { Held, WorkspaceHolds } from '../leases/hold-workspace.ts';
import type { Snapshots } from '../snapshots/snapshots.ts';
import { keepFiles, type KeptFiles, LOST_LEASE, restoreFiles } from './keep-files.ts';
import { changedPaths } from './program-changes.ts';
import type { Toolbox, Toolboxes } from './toolbox.port.ts';
import type { WorkspaceKey, Workspaces } from './workspace.port.ts';

export interface ToolboxWorkspacesParts {
  readonly toolboxes: Toolboxes;
  readonly snapshots: Snapshots;
  readonly holds: WorkspaceHolds;
  /** Toolboxes kept open; the one unused for longest gives way. */
  readonly mostOpen: number;
  readonly idleMs: number;
  readonly now: () => number;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
}

interface Opened extends KeptFiles {
  readonly key: WorkspaceKey;
  keeping: Promise<void> | undefined;
  using: number;
  usedAt: number;
}

const NOT_CONTAINED = new Fault(
  'sandbox_unavailable',
  'Programs cannot work on the files of conversations here: the files cannot be kept in a sandbox of their own on this machine. "./bravo doctor" says why.',
);

/** Ids become parts of object keys: letters, digits, '_' and '-' and nothing else. */
const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

const checkKey = (key: WorkspaceKey): void => {
  if (!ID.test(key.workspaceId)) throw new Fault('permission_denied', 'The caller names no workspace.');
  if (!ID.test(key.conversationId)) throw new Fault('invalid_argument', 'The conversation id is not one.');
};

const MOST_ATTEMPTS = 5;

export class ToolboxWorkspaces implements Workspaces {
  readonly #parts: ToolboxWorkspacesParts;
  readonly #opened = new Map<string, Opened>();
  readonly #turnstile = new Turnstile();
  readonly #timer: NodeJS.Timeout;

  constructor(parts: ToolboxWorkspacesParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.#closeIdle(), Math.max(1_000, parts.idleMs / 4));
    this.#timer.unref();
  }

  async stat(key: WorkspaceKey, path: string): Promise<FileFacts> {
    const nothing = untouchedFacts(path);
    return this.#look(
      key,
      () => nothing,
      async (toolbox) => (await toolbox.ask('stat', { path })).answer,
    );
  }

  read: Workspaces['read'] = async (key, path, maxBytes, offset) => {
    const absent = new Fault(
      'not_found',
      `There is no file ${shown(untouchedFacts(path).landing)} in this conversation.`,
    );
    return this.#look(
      key,
      () => {
        throw absent;
      },
      async (toolbox) => {
        const { answer, bytes } = await toolbox.ask('read', { path, maxBytes, offset });
        return { ...answer, content: bytes };
      },
    );
  };

  list: Workspaces['list'] = async (key, directory, depth, maxEntries, options = {}) => {
    const { landing } = untouchedFacts(directory);
    return this.#look(
      key,
      () => {
        if (landing !== '')
          throw new Fault('not_found', `There is no directory ${shown(landing)} in this conversation.`);
        return { landing, entries: [], truncated: false };
      },
      async (toolbox) => (await toolbox.ask('list', { directory, depth, maxEntries, ...options })).answer,
    );
  };

  search = async (key: WorkspaceKey, asked: ToolRequest<'search'>): Promise<ToolAnswer<'search'>> => {
    parsePath(asked.directory);
    // Also over nothing: a pattern that is refused is refused there too.
    checkKey(key);
    return this.#use(key, async ({ toolbox }) => (await toolbox.ask('search', asked)).answer);
  };

  readGit: Workspaces['readGit'] = async (key, asked) => {
    const absent = new Fault('not_found', `There is no repository at ${shown(asked.repository || '.')}.`);
    parsePath(asked.repository);
    parsePath(asked.path);
    return this.#look(
      key,
      () => {
        throw absent;
      },
      async (toolbox) => (await toolbox.ask('git', asked)).answer,
    );
  };

  write: Workspaces['write'] = async (key, path, content, conditions) => {
    const { expectedRevision } = conditions;
    if (parsePath(path).length === 0) throw new Fault('invalid_argument', 'The path names no file.');
    checkKey(key);
    if (expectedRevision.length > 64 && expectedRevision !== ABSENT) {
      throw new Fault(
        'version_conflict',
        `${shown(path)} has changed since it was looked at. Look at it again before writing it.`,
      );
    }
    return this.#change(key, async ({ toolbox }) => {
      return (await toolbox.ask('write', { path, ...conditions }, content)).answer;
    });
  };

  remove: Workspaces['remove'] = async (key, path, expectedRevision) => {
    const absent = new Fault('not_found', `There is no file ${shown(path)} in this conversation.`);
    if (parsePath(path).length === 0) throw new Fault('invalid_argument', 'The path names no file.');
    checkKey(key);
    if ((await this.#head(key)) === '') throw absent;
    return this.#change(key, async ({ toolbox }) => (await toolbox.ask('remove', { path, expectedRevision })).answer);
  };

  withFiles: Workspaces['withFiles'] = async (key, work) => {
    checkKey(key);
    return this.#hold(key, (held) =>
      this.#use(key, async (opened) => {
        const { files } = opened.toolbox;
        if (files === undefined) throw NOT_CONTAINED;
        const before = opened.snapshot;
        opened.programs += 1;
        const result = await work(files).finally(() => (opened.programs -= 1));
        const changed = await this.#turnstile.pass(key.conversationId, async () => {
          if (this.#opened.get(key.conversationId) !== opened || !opened.toolbox.alive) return undefined;
          // It was thrown away with what could not be kept.
          return this.#keep(opened, held).then(
            () => changedPaths(before, opened.snapshot),
            (err: unknown) => void this.#parts.log('what a program left could not be kept', { err }),
          );
        });
        return { result, changed: changed ?? [], changesLost: changed === undefined };
      }),
    );
  };

  async erase(key: WorkspaceKey): Promise<void> {
    checkKey(key);
    if ((await this.#parts.holds.head(key)) === undefined && (await this.#parts.snapshots.loadOld(key)) === '') return;
    await this.#turnstile.pass(key.conversationId, () =>
      this.#hold(key, async (held) => {
        const opened = this.#opened.get(key.conversationId);
        if (opened !== undefined) await this.#close(opened);
        if (!(await held.commit(''))) throw new Fault('unavailable', LOST_LEASE);
        await this.#parts.snapshots.erase(key);
      }),
    );
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#opened.values()].map((opened) => this.#close(opened)));
    await this.#parts.toolboxes.close();
  }

  /** Reading what was never written starts nothing. */
  async #look<T>(key: WorkspaceKey, nothing: () => T, use: (toolbox: Toolbox) => Promise<T>): Promise<T> {
    checkKey(key);
    const opened = this.#opened.get(key.conversationId);
    if (opened?.key.workspaceId !== key.workspaceId && (await this.#head(key)) === '') return nothing();
    return this.#use(key, ({ toolbox }) => use(toolbox));
  }

  /** An effect: under the lease, on the files as they are under it, and kept before it is told. */
  #change<T>(key: WorkspaceKey, effect: (opened: Opened) => Promise<T>): Promise<T> {
    return this.#turnstile.pass(key.conversationId, () =>
      this.#hold(key, (held) =>
        this.#use(key, async (opened) => {
          const done = await effect(opened);
          await this.#keep(opened, held);
          return done;
        }),
      ),
    );
  }

  #hold<T>(key: WorkspaceKey, work: (held: Held) => Promise<T>): Promise<T> {
    return this.#parts.holds.during(key, () => this.#parts.snapshots.loadOld(key), work);
  }

  /** Name of the present snapshot; '' for no files. */
  async #head(key: WorkspaceKey): Promise<string> {
    return (await this.#parts.holds.head(key)) ?? (await this.#parts.snapshots.loadOld(key));
  }

  async #use<T>(key: WorkspaceKey, use: (opened: Opened) => Promise<T>): Promise<T> {
    const opened = await this.#turnstile.pass(`open ${key.conversationId}`, () => this.#open(key));
    opened.using += 1;
    try {
      return await use(opened);
    } finally {
      opened.using -= 1;
      opened.usedAt = this.#parts.now();
      if (!opened.toolbox.alive) await this.#close(opened);
    }
  }

  async #open(key: WorkspaceKey): Promise<Opened> {
    for (let attempt = 1; ; attempt += 1) {
      const known = this.#opened.get(key.conversationId);
      const head = await this.#latest(key, known);
      // Another runner may have gone on with the conversation; then what is open here is the past.
      if (known?.toolbox.alive && (known.snapshot?.id ?? '') === head) return known;
      if (known !== undefined) await this.#close(known);
      await this.#makePlace();
      const toolbox = await this.#parts.toolboxes.open();
      try {
        const snapshot = head === '' ? undefined : await restoreFiles(this.#parts.snapshots, key, head, toolbox);
        const opened = { key, toolbox, snapshot, programs: 0, keeping: undefined, using: 0, usedAt: this.#parts.now() };
        this.#opened.set(key.conversationId, opened);
        return opened;
      } catch (error) {
        await toolbox.stop();
        // It may also have gone on just now, and removed what only the past held.
        if (attempt >= MOST_ATTEMPTS || (await this.#head(key)) === head) throw error;
      }
    }
  }

  /** Name of the present snapshot. One that this runner itself writes meanwhile is none of another's. */
  async #latest(key: WorkspaceKey, known: Opened | undefined): Promise<string> {
    for (;;) {
      await known?.keeping;
      const seen = known?.snapshot;
      const head = await this.#head(key);
      if (known === undefined || (known.keeping === undefined && known.snapshot === seen)) return head;
    }
  }

  /** What is not kept did not happen: a toolbox whose snapshot failed is thrown away with what it holds. */
  async #keep(opened: Opened, held: Held): Promise<void> {
    const keeping = keepFiles(this.#parts.snapshots, opened, held);
    opened.keeping = keeping.then(
      () => undefined,
      () => undefined,
    );
    try {
      await keeping.finally(() => (opened.keeping = undefined));
    } catch (cause) {
      await this.#close(opened);
      throw cause instanceof Fault
        ? cause
        : new Fault('unavailable', 'The files could not be kept, so nothing was changed. Try again in a moment.', {
            cause,
          });
    }
  }

  async #makePlace(): Promise<void> {
    while (this.#opened.size >= this.#parts.mostOpen) {
      const unused = [...this.#opened.values()]
        .filter(({ using }) => using === 0)
        .sort((a, b) => a.usedAt - b.usedAt)[0];
      if (unused === undefined)
        throw new Fault(
          'resource_exhausted',
          'Too many conversations use their files at the same time. Try again in a moment.',
        );
      await this.#close(unused);
    }
  }

  #closeIdle(): void {
    for (const opened of this.#opened.values()) {
      if (opened.using > 0 || this.#parts.now() - opened.usedAt < this.#parts.idleMs) continue;
      this.#close(opened).catch((err: unknown) => this.#parts.log('a toolbox could not be ended', { err }));
    }
  }

  async #close(opened: Opened): Promise<void> {
    if (this.#opened.get(opened.key.conversationId) === opened) this.#opened.delete(opened.key.conversationId);
    await opened.toolbox.stop();
  }
}
