/** Wires what people do with files. */
import { newId } from '@bravo/chassis';
import type { Identity } from '../access/agent.ts';
import type { ConversationStore } from '../conversations/conversation.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { FileRecords } from './conversation-file.ts';
import { fileHandlers } from './files.grpc.ts';
import { createFindOwner } from './own-conversation.ts';
import { createPersonFiles } from './person-files.ts';

export const createFileHandlers = (parts: {
  readonly conversations: ConversationStore;
  readonly identity: Identity;
  readonly sandbox: Sandbox;
  readonly records: FileRecords;
}) => fileHandlers(createPersonFiles({ ...parts, findOwner: createFindOwner(parts), newUploadId: () => newId('upl') }));
