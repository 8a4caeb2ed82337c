/**
 * One running language server. What it says is a stranger's: it may be garbage, without end, late, or of no question of ours, and
 * each of these ends the session and is told as such. It is asked reads only, and nothing it asks for is done.
 */
import { PassThrough, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import type { LanguageServer } from './language-table.ts';
import {
  type OpenDocument,
  ROOT,
  ServerTrouble,
  SESSION_LIMITS,
  type StartLanguageSession,
  uriOf,
} from './language-session.ts';
import { askSymbol } from './symbol-question.ts';

/** Nothing new begun for so long after the start, or since the last end, is an index that is there. */
const QUIET_MS = 400;
const FIRST_QUIET_MS = 900;
const LOOK_MS = 25;
const MAX_OPEN_DOCUMENTS = 32;

export const startLanguageSession: StartLanguageSession = async (server, session, limits = SESSION_LIMITS) => {
  let trouble: ServerTrouble | undefined;
  let alive = true;
  let said = 0;
  let failAll: (error: ServerTrouble) => void = () => undefined;
  const failing = new Promise<never>((_, reject) => (failAll = reject));
  failing.catch(() => undefined);
  const end = (why: ServerTrouble['why'], detail = ''): void => {
    trouble ??= new ServerTrouble(why, detail);
    alive = false;
    failAll(trouble);
    session.close();
  };

  const input = new PassThrough();
  const reader = new StreamMessageReader(input);
  const writer = new StreamMessageWriter(
    new Writable({ write: (chunk: Uint8Array, _, done) => (session.send(chunk), done()) }),
  );
  void (async () => {
    try {
      for await (const chunk of session.output) {
        said += chunk.length;
        if (said > limits.bytes) end('too_much');
        else if (alive) input.write(chunk);
      }
    } catch {
      end('gone');
    }
    const { failure, outcome, sentence } = await session.ended;
    end(failure !== '' ? 'missing' : outcome === 'refused' ? 'refused' : 'gone', sentence);
  })();
  reader.onError(() => end('broken'));

  const connection = createMessageConnection(reader, writer, undefined, { cancellationStrategy: undefined as never });
  connection.onError(() => end('broken'));
  const working = new Set<string>();
  let lastWork = Date.now();
  connection.onRequest((method: string, params: unknown) => {
    // What it is told is nothing, and what it wants done is not done.
    if (method === 'workspace/configuration')
      return ((params as { items?: unknown })?.items instanceof Array ? (params as { items: unknown[] }).items : [])
        .slice(0, 1_000)
        .map(() => null);
    if (method === 'workspace/applyEdit') return { applied: false, failureReason: 'Nothing is changed here.' };
    if (method === 'workspace/workspaceFolders') return [{ uri: ROOT, name: 'workspace' }];
    return null;
  });
  connection.onNotification('$/progress', (params: unknown) => {
    const { token, value } = (params ?? {}) as { token?: unknown; value?: { kind?: unknown } };
    const name = JSON.stringify(token ?? null).slice(0, 200);
    lastWork = Date.now();
    if (value?.kind === 'begin' && working.size < 1_000) working.add(name);
    if (value?.kind === 'end') working.delete(name);
  });
  connection.listen();

  const within = async <T>(ms: number, work: Promise<T>, why: ServerTrouble['why']): Promise<T> => {
    work.catch(() => undefined);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new ServerTrouble(why)), ms);
    });
    return Promise.race([work, late, failing]).finally(() => clearTimeout(timer));
  };
  const ask = async (method: string, params: object): Promise<unknown> => {
    try {
      return await within(limits.answerMs, connection.sendRequest(method, params), 'late');
    } catch (error) {
      if (error instanceof ServerTrouble) throw error;
      // It answered with an error of its own words, which are nobody's to read here.
      throw new ServerTrouble('unable');
    }
  };

  try {
    await within(limits.startMs, connection.sendRequest('initialize', introduction(server)), 'not_started');
    await connection.sendNotification('initialized', {});
  } catch (error) {
    const why = error instanceof ServerTrouble ? error : new ServerTrouble('not_started');
    end(why.why, why.message);
    throw trouble ?? why;
  }

  const documents = new Map<string, { version: number; text: string }>();
  const show = async ({ path, text }: OpenDocument): Promise<void> => {
    const uri = uriOf(path);
    const known = documents.get(path);
    documents.delete(path);
    documents.set(path, { version: (known?.version ?? 0) + 1, text });
    if (known === undefined) {
      const languageId = server.extensions[/\.([^./]+)$/.exec(path.toLowerCase())?.[1] ?? ''] ?? server.language;
      await connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId, version: 1, text },
      });
    } else if (known.text !== text) {
      await connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version: known.version + 1 },
        contentChanges: [{ text }],
      });
    }
    for (const oldest of documents.keys()) {
      if (documents.size <= MAX_OPEN_DOCUMENTS) break;
      documents.delete(oldest);
      await connection.sendNotification('textDocument/didClose', { textDocument: { uri: uriOf(oldest) } });
    }
  };
  let settledOnce = false;
  /** Whether the index is there; what it is not waited for any longer is said. */
  const settle = async (): Promise<boolean> => {
    const until = Date.now() + limits.indexMs;
    const from = Date.now();
    while (alive && Date.now() < until) {
      const quiet = Date.now() - Math.max(lastWork, settledOnce ? 0 : from);
      if (working.size === 0 && quiet >= (settledOnce ? QUIET_MS : FIRST_QUIET_MS)) {
        settledOnce = true;
        return true;
      }
      await sleep(LOOK_MS);
    }
    return false;
  };

  return {
    ended: session.ended,
    get alive() {
      return alive;
    },
    ask: async (question, document) => {
      if (trouble !== undefined) throw trouble;
      said = 0;
      if (document !== undefined) await show(document);
      const settled = await settle();
      const answer = await askSymbol(ask, question, question.path === undefined ? '' : uriOf(question.path));
      if (trouble !== undefined) throw trouble;
      return { ...answer, indexing: !settled || working.size > 0 };
    },
    close: () => {
      if (!alive) return;
      void connection.sendRequest('shutdown').catch(() => undefined);
      void connection.sendNotification('exit').catch(() => undefined);
      end('gone');
    },
  };
};

const introduction = ({ options }: LanguageServer): object => ({
  processId: null,
  rootUri: ROOT,
  workspaceFolders: [{ uri: ROOT, name: 'workspace' }],
  initializationOptions: options,
  capabilities: {
    textDocument: {
      synchronization: { didSave: false },
      definition: { linkSupport: true },
      implementation: { linkSupport: true },
      references: {},
      hover: { contentFormat: ['markdown', 'plaintext'] },
      documentSymbol: { hierarchicalDocumentSymbolSupport: true },
      callHierarchy: {},
    },
    workspace: { symbol: {}, configuration: true, workspaceFolders: true },
    window: { workDoneProgress: true },
  },
});
