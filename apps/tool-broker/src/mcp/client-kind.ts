/** How patient a client is, carried in the session id we issue, so that no replica remembers a session. It decides how long a call is held and nothing else. */
import { randomBytes } from 'node:crypto';

export type ClientKind = 'bravo' | 'zeroclaw' | 'unknown';

const KIND_OF_NAME: Readonly<Record<string, ClientKind>> = { 'bravo-agent-runtime': 'bravo', zeroclaw: 'zeroclaw' };
const LETTERS: Readonly<Record<ClientKind, string>> = { bravo: 'b', zeroclaw: 'z', unknown: 'u' };

/** What the client calls itself is taken at its word: a wrong name only makes it wait longer than it can. */
export const kindOfName = (name: unknown): ClientKind =>
  typeof name === 'string' && Object.hasOwn(KIND_OF_NAME, name) ? KIND_OF_NAME[name]! : 'unknown';

export const issueSessionId = (kind: ClientKind): string => `${LETTERS[kind]}${randomBytes(16).toString('hex')}`;

export const kindOfSession = (sessionId: string | undefined): ClientKind => {
  if (sessionId === undefined || !/^[bzu][0-9a-f]{32}$/.test(sessionId)) return 'unknown';
  return (Object.keys(LETTERS) as ClientKind[]).find((kind) => LETTERS[kind] === sessionId[0]) ?? 'unknown';
};
