/**
 * The settings file that lies among a conversation's files (D12): kept as it was when it was first seen, so that no later write of
 * the agent takes a restriction back. Its allow rules hold once the person accepted them, and nothing that nobody vouched for is told.
 */
import { isJsonObject, LIMITS, lookUpTrust, type JsonValue, readStrictJson } from '@bravo/policy';
import type { ConversationStore } from '../conversations/conversation.ts';
import type { OnBehalfOf, Sandbox } from '../sandbox/sandbox.ts';
import { sentenceOf } from '../tool-calls/resolve-reach.ts';

/** Where it lies, from the root of the files. */
export const REPOSITORY_FILE = '.bravo/settings.json';

export interface RepositorySettings {
  readonly text: string;
  readonly revision: string;
  /** Whether the person vouched for the file: of another one no word is told to the agent or put on the trail. */
  readonly trusted: boolean;
  /** Allow rules the person accepted, exactly as written. */
  readonly accepted: readonly string[];
}

/** What there is: nothing, a file that cannot be taken (it changes nothing), or the settings. */
export type FoundRepository =
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'found'; readonly settings: RepositorySettings };

export interface RepositoryParts {
  readonly sandbox: Pick<Sandbox, 'stat' | 'read'>;
  readonly conversations: Pick<ConversationStore, 'trustMap' | 'keepRepository'>;
}

/** @throws Fault where the files cannot be asked: what they would have refused is then not known. */
export type FindRepository = (
  conversation: { readonly id: string; readonly repository: RepositorySettings | undefined },
  who: OnBehalfOf,
) => Promise<FoundRepository>;

const MAX_BYTES = LIMITS['settings-size'].value;

/** @param keep false: only looks, for an explanation. */
export const createFindRepository =
  ({ sandbox, conversations }: RepositoryParts, keep: boolean): FindRepository =>
  async ({ id, repository }, who) => {
    if (repository !== undefined) return { kind: 'found', settings: repository };
    const { exists, kind, landing, size, revision } = await sandbox.stat(who, REPOSITORY_FILE);
    if (!exists) return { kind: 'none' };
    if (kind !== 'file' || (landing !== '' && landing !== REPOSITORY_FILE))
      return { kind: 'refused', why: 'it is no plain file' };
    if (size > MAX_BYTES) return { kind: 'refused', why: `it is larger than ${MAX_BYTES} bytes` };
    const { content, truncated } = await sandbox.read(who, REPOSITORY_FILE, MAX_BYTES);
    // INVARIANT: trust is read after the bytes, as for every read: an older mark must not vouch for newer bytes.
    const trust = lookUpTrust(await conversations.trustMap(id), REPOSITORY_FILE);
    const text = decode(content);
    if (truncated || text === undefined) return { kind: 'refused', why: 'it is no text of UTF-8' };
    const reading = readStrictJson(text);
    if (!reading.ok) return { kind: 'refused', why: `line ${reading.line}, column ${reading.column} is no JSON` };
    if (!isJsonObject(reading.value as JsonValue)) return { kind: 'refused', why: 'it is no JSON object' };
    const settings: RepositorySettings = { text, revision, trusted: trust === 'trusted', accepted: [] };
    // Whoever is first keeps it: two calls at once see one file.
    return { kind: 'found', settings: keep ? await conversations.keepRepository(id, settings) : settings };
  };

/** Only what is kept already; asks for no file. */
export const findKept: FindRepository = async ({ repository }) =>
  repository === undefined ? { kind: 'none' } : { kind: 'found', settings: repository };

const decode = (content: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
};

/** Why a repository's file could not be asked for, in words that may be shown. */
export const whyUnasked = (error: unknown): string =>
  `Whether the files hold settings of their own cannot be told. ${sentenceOf(error)}`;
