/** A conversation's files at the tool-broker, which labels them; the bytes come in pieces. */
import { Fault } from '@bravo/faults';
import type { ConversationFile } from '@bravo/proto/broker';
import type { BrokerClient } from '../tool-calls/tool-broker.client.ts';
import { fileView, type FileView } from './file-routes.ts';
import type { Files } from './files.ts';

/** Of the largest there may be. */
const TRANSFER_MS = 120_000;

export const createFiles = (client: BrokerClient): Files => ({
  list: async (subject, conversationId, asked) => {
    const { files, more, letsRead } = await client.listConversationFiles({ conversationId, ...asked }, { subject });
    return { files: files.map(toView), next_cursor: more ? (files.at(-1)?.path ?? '') : '', lets_read: letsRead };
  },
  read: async function* (subject, conversationId, path, gone) {
    const parts = client.readConversationFile(
      { conversationId, path },
      { subject, timeoutMs: TRANSFER_MS, signal: gone },
    );
    for await (const { part } of parts) {
      if (part?.$case === 'file') yield toView(part.file);
      if (part?.$case === 'content') yield part.content;
    }
  },
  write: async (subject, conversationId, path, content, { expectedRevision, letsRead }) => {
    const { file, created } = await client.writeConversationFile(
      { conversationId, path, content, expectedRevision, letsRead },
      { subject, timeoutMs: TRANSFER_MS },
    );
    if (file === undefined) throw new Fault('unavailable', 'The file was not described. Look whether it is there.');
    return { file: toView(file), created };
  },
  remove: async (subject, conversationId, path, expectedRevision) => {
    await client.removeConversationFile({ conversationId, path, expectedRevision }, { subject });
  },
});

const toView = ({ path, kind, size, revision, landing, trust, quarantined }: ConversationFile): FileView =>
  fileView.parse({ path, kind, size, change_token: revision, landing, trust, quarantined });
