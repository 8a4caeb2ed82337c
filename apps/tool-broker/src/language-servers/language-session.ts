/** One running language server, as whoever asks it sees it: a bounded answer, or one of a few troubles in our own words. */
import type { LanguageServer } from './language-table.ts';
import type { Session, SessionEnd } from './open-session.ts';
import type { SymbolAnswer, SymbolQuestion } from './symbol-question.ts';

export const ROOT = 'file:///workspace';

export interface SessionLimits {
  /** Until it has introduced itself. */
  readonly startMs: number;
  /** For one request. */
  readonly answerMs: number;
  /** How long an index is waited for before an answer is taken from what there is. */
  readonly indexMs: number;
  /** Bytes it may say from one question to the end of the next; more ends it. */
  readonly bytes: number;
}

export const SESSION_LIMITS: SessionLimits = {
  startMs: 45_000,
  answerMs: 20_000,
  indexMs: 12_000,
  bytes: 32 * 1024 * 1024,
};

/** `why` is a word of ours and never the server's. */
export class ServerTrouble extends Error {
  constructor(
    readonly why: 'missing' | 'refused' | 'not_started' | 'broken' | 'too_much' | 'late' | 'gone' | 'unable',
    detail = '',
  ) {
    super(detail);
  }
}

export interface LanguageSession {
  ask(
    question: SymbolQuestion,
    document: OpenDocument | undefined,
  ): Promise<SymbolAnswer & { readonly indexing: boolean }>;
  /** Resolves when nothing of it lives any more. */
  readonly ended: Promise<SessionEnd>;
  readonly alive: boolean;
  close(): void;
}

export interface OpenDocument {
  readonly path: string;
  readonly text: string;
}

/** @throws ServerTrouble where it does not come up. */
export type StartLanguageSession = (
  server: LanguageServer,
  session: Session,
  limits?: SessionLimits,
) => Promise<LanguageSession>;

export const uriOf = (path: string): string => `${ROOT}/${path.split('/').map(encodeURIComponent).join('/')}`;

/** The path in the files; undefined for anything that is elsewhere, or is no address at all. */
export const pathOf = (uri: string): string | undefined => {
  try {
    const url = new URL(uri);
    if (url.protocol !== 'file:' || url.host !== '') return undefined;
    const path = decodeURIComponent(url.pathname);
    if (!path.startsWith('/workspace/') || path.includes('\0')) return undefined;
    const inside = path.slice('/workspace/'.length);
    return inside === '' || inside.split('/').some((name) => name === '..' || name === '.' || name === '')
      ? undefined
      : inside;
  } catch {
    return undefined;
  }
};
