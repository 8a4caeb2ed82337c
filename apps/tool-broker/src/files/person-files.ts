/**
 * What a person does with the files of their own conversation. Guarantees that what they upload is untrusted unless they let
 * @bravo read it, that no moment vouches for bytes nobody vouched for, and that no link leads an upload elsewhere.
 */
import { Fault } from '@bravo/faults';
import { lookUpTrust, type TrustMap } from '@bravo/policy';
import { parsePath, shown, WORKSPACE_LIMITS } from '@bravo/workspace-files';
import type { PersonPrincipal } from '../access/person.ts';
import type { ConversationStore } from '../conversations/conversation.ts';
import type { FileEntry, Sandbox } from '../sandbox/sandbox.ts';
import { mediaTypeOf } from '../tools/file-kinds.ts';
import { type ConversationFile, type FileRecords, MOST_UPLOAD_BYTES, type Upload } from './conversation-file.ts';
import type { FindOwner } from './own-conversation.ts';

export interface PersonFilesParts {
  readonly findOwner: FindOwner;
  readonly conversations: Pick<ConversationStore, 'trustMap'>;
  readonly sandbox: Pick<Sandbox, 'stat' | 'list' | 'read' | 'write' | 'remove'>;
  readonly records: FileRecords;
  newUploadId(): string;
}

export interface FilesPage {
  readonly files: readonly ConversationFile[];
  readonly more: boolean;
  readonly letsRead: boolean;
}

export interface PersonFiles {
  list(
    person: PersonPrincipal,
    asked: { conversationId: string; directory: string; depth: number; limit: number; after: string },
  ): Promise<FilesPage>;
  /** The facts, then the bytes. @throws Fault version_conflict where the file changes while it is read. */
  read(
    person: PersonPrincipal,
    asked: { conversationId: string; path: string },
  ): AsyncIterable<{ readonly file: ConversationFile } | { readonly content: Uint8Array }>;
  /** @throws Fault payload_too_large, conflict for a directory or a link, version_conflict, resource_exhausted. */
  write(person: PersonPrincipal, upload: Upload): Promise<{ file: ConversationFile; created: boolean }>;
  /** @throws Fault not_found, conflict, version_conflict */
  remove(
    person: PersonPrincipal,
    asked: { conversationId: string; path: string; expectedRevision: string },
  ): Promise<void>;
}

const PAGE = { fallback: 200, most: 1_000 };
const PIECE_BYTES = 1024 * 1024;
const ABSENT = 'absent';

export const createPersonFiles = ({
  findOwner,
  conversations,
  sandbox,
  records,
  newUploadId,
}: PersonFilesParts): PersonFiles => ({
  list: async (person, { conversationId, directory, depth, limit, after }) => {
    const who = await findOwner(person, conversationId, 'view_content');
    const levels = depth === 0 ? WORKSPACE_LIMITS.depth : Math.min(depth, WORKSPACE_LIMITS.depth);
    const most = limit === 0 ? PAGE.fallback : Math.min(limit, PAGE.most);
    const { entries, truncated } = await sandbox.list(who, directory, levels, most, { after, withRevisions: true });
    const [map, letsRead] = await Promise.all([conversations.trustMap(conversationId), records.letsRead(person)]);
    return { files: entries.map((entry) => labelled(entry, map)), more: truncated, letsRead };
  },
  read: async function* (person, { conversationId, path }) {
    const who = await findOwner(person, conversationId, 'view_content');
    const first = await sandbox.read(who, path, PIECE_BYTES);
    const { landing, revision, size } = first.facts;
    const map = await conversations.trustMap(conversationId);
    yield { file: labelled({ path: landing, kind: 'file', size, revision, landing: '' }, map) };
    yield { content: first.content };
    for (let at = first.content.length; at < size;) {
      const { content, facts } = await sandbox.read(who, landing, PIECE_BYTES, at);
      if (facts.revision !== revision || facts.landing !== landing || content.length === 0)
        throw new Fault('version_conflict', `${shown(path)} changed while it was read. Read it again.`);
      yield { content };
      at += content.length;
    }
  },
  write: async (person, { conversationId, path, content, expectedRevision, letsRead: asked }) => {
    const who = await findOwner(person, conversationId, 'manage_files');
    if (content.length > MOST_UPLOAD_BYTES) {
      throw new Fault('payload_too_large', `A file may have ${MOST_UPLOAD_BYTES / 1024 / 1024} MiB.`);
    }
    const place = parsePath(path).join('/');
    if (place === '') throw new Fault('invalid_argument', 'The path names no file.', { meta: { field: 'path' } });
    const facts = await sandbox.stat(who, place);
    if (facts.kind === 'directory') throw new Fault('conflict', `${shown(place)} is a directory.`);
    if (facts.landing !== place) {
      // Programs plant links, and nobody who names a file means where one leads.
      throw new Fault(
        'conflict',
        `A link leads ${shown(place)} to ${shown(facts.landing)}. Name that file, or take the link away first.`,
      );
    }
    // Before its mark is touched: what is refused leaves a file as trusted as it was.
    if (expectedRevision !== '' && expectedRevision !== (facts.exists ? facts.revision : ABSENT))
      throw new Fault('version_conflict', sayMoved(place, expectedRevision));
    if (asked !== undefined) await records.rememberLetsRead(person, asked);
    const letsRead = asked ?? (await records.letsRead(person));
    const trusted = letsRead && mediaTypeOf(place) === undefined;
    const id = newUploadId();
    await records.begin(conversationId, place, id);
    const { created, facts: written } = await sandbox.write(who, place, content, expectedRevision, id);
    await records.uploaded(person, conversationId, { id, path: place, trusted, content, created });
    const map = await conversations.trustMap(conversationId);
    const { size, revision } = written;
    return { file: labelled({ path: place, kind: 'file', size, revision, landing: '' }, map), created };
  },
  remove: async (person, { conversationId, path, expectedRevision }) => {
    const who = await findOwner(person, conversationId, 'manage_files');
    const place = parsePath(path).join('/');
    if (place === '') throw new Fault('invalid_argument', 'The path names no file.', { meta: { field: 'path' } });
    const { kind } = await sandbox.remove(who, place, expectedRevision);
    // Whatever comes to lie there next is not what somebody vouched for.
    if (kind === 'file') await records.begin(conversationId, place, newUploadId());
    await records.removed(person, conversationId, { path: place, kind });
  },
});

const labelled = ({ path, kind, size, landing, revision = '' }: FileEntry, map: TrustMap): ConversationFile => {
  const end = kind === 'link' ? landing : path;
  return {
    ...{ path, kind, size, landing, revision },
    trust: end === '' ? 'untrusted' : lookUpTrust(map, end),
    quarantined: kind !== 'directory' && mediaTypeOf(end) !== undefined,
  };
};

const sayMoved = (place: string, expected: string): string =>
  expected === ABSENT
    ? `${shown(place)} exists by now. Look at it before writing it.`
    : `${shown(place)} has changed since it was looked at. Look at it again before writing it.`;
