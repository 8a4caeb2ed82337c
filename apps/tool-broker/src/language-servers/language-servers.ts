/** The language servers that run for conversations: started by the first question that needs one, kept for the next, ended when nobody asked for a while. One conversation's server is never another's. */
import type { OnBehalfOf } from '../sandbox/sandbox.ts';
import {
  type LanguageSession,
  type OpenDocument,
  ServerTrouble,
  SESSION_LIMITS,
  type SessionLimits,
  type StartLanguageSession,
} from './language-session.ts';
import type { LanguageServer } from './language-table.ts';
import type { OpenSession } from './open-session.ts';
import type { SymbolAnswer, SymbolQuestion } from './symbol-question.ts';

export interface LanguageServers {
  /** Starts the server where it does not run yet. @throws ServerTrouble, or the signal's reason. */
  ask(
    who: OnBehalfOf,
    server: LanguageServer,
    question: SymbolQuestion,
    document: OpenDocument | undefined,
    signal: AbortSignal,
  ): Promise<SymbolAnswer & { readonly indexing: boolean }>;
  /** Languages whose server runs for the conversation now. */
  started(conversationId: string): readonly string[];
  /** Ends every server, or those of one conversation. */
  close(conversationId?: string): Promise<void>;
}

export interface LanguageServersParts {
  readonly openSession: OpenSession;
  readonly startSession: StartLanguageSession;
  readonly limits?: SessionLimits;
  /** Ended after so long without a question. */
  readonly idleMs?: number;
  /** Of one process. */
  readonly atOnce?: number;
}

const IDLE_MS = 10 * 60_000;
const AT_ONCE = 6;

interface Running {
  readonly conversationId: string;
  readonly language: string;
  readonly session: Promise<LanguageSession>;
  /** One question after another: a server's answers are told apart by ids alone, and ids are the server's word. */
  last: Promise<unknown>;
  usedAt: number;
  idle: NodeJS.Timeout | undefined;
}

export const createLanguageServers = ({
  openSession,
  startSession,
  limits = SESSION_LIMITS,
  idleMs = IDLE_MS,
  atOnce = AT_ONCE,
}: LanguageServersParts): LanguageServers => {
  const running = new Map<string, Running>();
  const nameOf = (conversationId: string, language: string): string => `${conversationId} ${language}`;

  const end = async (name: string, one: Running): Promise<void> => {
    if (running.get(name) === one) running.delete(name);
    clearTimeout(one.idle);
    const session = await one.session.catch(() => undefined);
    session?.close();
    await session?.ended;
  };

  const makePlace = async (): Promise<void> => {
    if (running.size < atOnce) return;
    const idle = [...running].filter(([, { idle: timer }]) => timer !== undefined);
    const [oldest] = idle.sort(([, a], [, b]) => a.usedAt - b.usedAt);
    if (oldest === undefined)
      throw new ServerTrouble('refused', 'Too many language servers answer at once just now. Ask again in a moment.');
    await end(...oldest);
  };

  const start = async (who: OnBehalfOf, server: LanguageServer): Promise<Running> => {
    const name = nameOf(who.conversationId, server.language);
    const known = running.get(name);
    if (known !== undefined) {
      // One that was ended for what it said is not waited for until its process is gone.
      const isAlive = await known.session.then(
        ({ alive }) => alive,
        () => true,
      );
      if (isAlive) return known;
      if (running.get(name) === known) running.delete(name);
    }
    await makePlace();
    const met = running.get(name);
    if (met !== undefined) return met;
    const one: Running = {
      conversationId: who.conversationId,
      language: server.language,
      session: startSession(server, openSession(who, { argv: server.argv }), limits),
      last: Promise.resolve(),
      usedAt: Date.now(),
      idle: undefined,
    };
    running.set(name, one);
    const forget = (): void => {
      if (running.get(name) === one) running.delete(name);
      clearTimeout(one.idle);
    };
    one.session.then((session) => session.ended.then(forget), forget);
    return one;
  };

  return {
    ask: async (who, server, question, document, signal) => {
      signal.throwIfAborted();
      const one = await start(who, server);
      clearTimeout(one.idle);
      one.idle = undefined;
      const answer = one.last.then(async () => {
        signal.throwIfAborted();
        return (await one.session).ask(question, document);
      });
      const done = answer.catch(() => undefined);
      one.last = done;
      void done.then(() => {
        one.usedAt = Date.now();
        if (one.last !== done) return;
        one.idle = setTimeout(() => void end(nameOf(who.conversationId, server.language), one), idleMs);
        one.idle.unref();
      });
      return answer;
    },
    started: (conversationId) =>
      [...running.values()].filter((one) => one.conversationId === conversationId).map(({ language }) => language),
    close: async (conversationId) => {
      const concerned = [...running].filter(
        ([, one]) => conversationId === undefined || one.conversationId === conversationId,
      );
      await Promise.all(concerned.map((entry) => end(...entry)));
    },
  };
};
