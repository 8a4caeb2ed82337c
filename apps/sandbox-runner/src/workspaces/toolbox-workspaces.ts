/**
 * The files of conversations through their toolboxes: opened by nobody here, restored from the last snapshot when they are needed,
 * and an effect on them is done when its snapshot is kept. One effect of a conversation at a time.
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
} from '@bravo/workspace-files';
import type { Snapshot, Snapshots } from '../snapshots/snapshots.ts';
import { changedPaths, refuseBeyondLimits, settleEntries } from './program-changes.ts';
import type { Toolbox, Toolboxes } from './toolbox.port.ts';
import type { WorkspaceKey, Workspaces } from './workspace.port.ts';

export interface ToolboxWorkspacesParts {
  readonly toolboxes: Toolboxes;
  readonly snapshots: Snapshots;
  /** Toolboxes kept open; the one unused for longest gives way. */
  readonly mostOpen: number;
  readonly idleMs: number;
  readonly now: () => number;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
}

interface Opened {
  readonly key: WorkspaceKey;
  readonly toolbox: Toolbox;
  snapshot: Snapshot | undefined;
  /** Programs that work on the files just now. */
  programs: number;
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

const nothingAt = (path: string): FileFacts => {
  const landing = parsePath(path).join('/');
  const root = landing === '';
  return { landing, revision: '', exists: root, size: 0, kind: root ? 'directory' : 'missing', caseFolding: false };
};

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
    const nothing = nothingAt(path);
    return this.#look(
      key,
      () => nothing,
      async (toolbox) => (await toolbox.ask('stat', { path })).answer,
    );
  }

  read: Workspaces['read'] = async (key, path, maxBytes) => {
    const absent = new Fault('not_found', `There is no file ${shown(nothingAt(path).landing)} in this conversation.`);
    return this.#look(
      key,
      () => {
        throw absent;
      },
      async (toolbox) => {
        const { answer, bytes } = await toolbox.ask('read', { path, maxBytes });
        return { ...answer, content: bytes };
      },
    );
  };

  list: Workspaces['list'] = async (key, directory, depth, maxEntries) => {
    const { landing } = nothingAt(directory);
    return this.#look(
      key,
      () => {
        if (landing !== '')
          throw new Fault('not_found', `There is no directory ${shown(landing)} in this conversation.`);
        return { entries: [], truncated: false };
      },
      async (toolbox) => (await toolbox.ask('list', { directory, depth, maxEntries })).answer,
    );
  };

  search = async (key: WorkspaceKey, asked: ToolRequest<'search'>): Promise<ToolAnswer<'search'>> => {
    parsePath(asked.directory);
    // Also over nothing: a pattern that is refused is refused there too.
    checkKey(key);
    return this.#use(key, async ({ toolbox }) => (await toolbox.ask('search', asked)).answer);
  };

  write: Workspaces['write'] = async (key, path, content, { expectedRevision, operationId }) => {
    if (parsePath(path).length === 0) throw new Fault('invalid_argument', 'The path names no file.');
    checkKey(key);
    if (expectedRevision.length > 64 && expectedRevision !== ABSENT) {
      throw new Fault(
        'version_conflict',
        `${shown(path)} has changed since it was looked at. Look at it again before writing it.`,
      );
    }
    return this.#turnstile.pass(key.conversationId, () =>
      this.#use(key, async (opened) => {
        const { answer } = await opened.toolbox.ask('write', { path, expectedRevision, operationId }, content);
        await this.#keep(opened);
        return answer;
      }),
    );
  };

  withFiles: Workspaces['withFiles'] = async (key, work) => {
    checkKey(key);
    return this.#use(key, async (opened) => {
      const { files } = opened.toolbox;
      if (files === undefined) throw NOT_CONTAINED;
      const before = opened.snapshot;
      opened.programs += 1;
      const result = await work(files).finally(() => (opened.programs -= 1));
      const changed = await this.#turnstile.pass(key.conversationId, async () => {
        if (this.#opened.get(key.conversationId) !== opened || !opened.toolbox.alive) return undefined;
        // It was thrown away with what could not be kept.
        return this.#keep(opened).then(
          () => changedPaths(before, opened.snapshot),
          (err: unknown) => void this.#parts.log('what a program left could not be kept', { err }),
        );
      });
      return { result, changed: changed ?? [], changesLost: changed === undefined };
    });
  };

  async erase(key: WorkspaceKey): Promise<void> {
    checkKey(key);
    await this.#parts.snapshots.load(key);
    await this.#turnstile.pass(key.conversationId, async () => {
      const opened = this.#opened.get(key.conversationId);
      if (opened !== undefined) await this.#close(opened);
      await this.#parts.snapshots.erase(key);
    });
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
    if (opened?.key.workspaceId !== key.workspaceId && (await this.#parts.snapshots.load(key)) === undefined)
      return nothing();
    return this.#use(key, ({ toolbox }) => use(toolbox));
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
    const known = this.#opened.get(key.conversationId);
    if (known !== undefined && known.key.workspaceId !== key.workspaceId)
      throw new Fault('not_found', 'There is no such conversation.');
    const snapshot = await this.#latest(key, known);
    // Another runner may have gone on with the conversation; then what is open here is the past.
    if (known?.toolbox.alive && known.snapshot?.id === snapshot?.id) return known;
    if (known !== undefined) await this.#close(known);
    await this.#makePlace();
    const toolbox = await this.#parts.toolboxes.open();
    try {
      for (const entry of snapshot?.entries ?? []) {
        const content = entry.digest === '' ? undefined : await this.#parts.snapshots.content(key, entry.digest);
        await toolbox.ask('restore', entry, content);
      }
    } catch (error) {
      await toolbox.stop();
      throw error;
    }
    const opened = { key, toolbox, snapshot, programs: 0, keeping: undefined, using: 0, usedAt: this.#parts.now() };
    this.#opened.set(key.conversationId, opened);
    return opened;
  }

  /** A head that this runner itself writes meanwhile is none of another's. */
  async #latest(key: WorkspaceKey, known: Opened | undefined): Promise<Snapshot | undefined> {
    for (;;) {
      await known?.keeping;
      const seen = known?.snapshot;
      const snapshot = await this.#parts.snapshots.load(key);
      if (known === undefined || (known.keeping === undefined && known.snapshot === seen)) return snapshot;
    }
  }

  async #keep(opened: Opened): Promise<void> {
    const keeping = this.#keepNow(opened);
    opened.keeping = keeping.then(
      () => undefined,
      () => undefined,
    );
    await keeping.finally(() => (opened.keeping = undefined));
  }

  /** What is not kept did not happen: a toolbox whose snapshot failed is thrown away with what it holds. */
  async #keepNow(opened: Opened): Promise<void> {
    const { key, toolbox } = opened;
    try {
      const { answer } = await toolbox.ask('inventory', {});
      refuseBeyondLimits(answer.entries);
      const contents = new Map<string, Buffer>();
      const entries = opened.programs === 0 ? answer.entries : await settleEntries(opened, answer.entries, contents);
      opened.snapshot = await this.#parts.snapshots.save(key, entries, opened.snapshot, async (entry) => {
        const { area, path, digest } = entry;
        return contents.get(digest) ?? (await toolbox.ask('content', { area, path, digest })).bytes;
      });
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
