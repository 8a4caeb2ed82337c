/** Begins a conversation under the policy of this moment; without the gate or the snapshot there is none. */
import type { Caller } from '../access/caller.ts';
import { checkGate } from '../access/check-gate.ts';
import type { Identity } from '../access/identity.ts';
import { Fault } from '@bravo/faults';
import type { Broker } from './broker.ts';
import { type Conversation, readMode } from './conversation.ts';
import type { ConversationStore } from './conversation-store.ts';

export interface CreateConversationParts {
  readonly conversations: ConversationStore;
  readonly identity: Identity;
  readonly broker: Broker;
  newId(prefix: 'cnv'): string;
}

const MAX_TITLE = 200;
const PROJECT_ID = /^[A-Za-z0-9_-]{0,64}$/;

export const createCreateConversation =
  ({ conversations, identity, broker, newId }: CreateConversationParts) =>
  async (
    caller: Caller,
    asked: { readonly projectId: string; readonly title: string; readonly mode: string; readonly attended: boolean },
  ): Promise<Conversation> => {
    const mode = readMode(asked.mode);
    const title = asked.title.trim();
    if ([...title].length > MAX_TITLE) {
      throw new Fault('invalid_argument', `A title may have ${MAX_TITLE} characters.`, { meta: { field: 'title' } });
    }
    if (!PROJECT_ID.test(asked.projectId)) {
      throw new Fault('invalid_argument', 'project_id is not the id of a project.', { meta: { field: 'project_id' } });
    }
    await checkGate(identity, caller.workspaceId);
    const { workspaceId, userId } = caller;
    const id = newId('cnv');
    const { projectId, attended } = asked;
    const policyVersion = await broker.snapshot(caller, { id, mode, projectId, attended });
    return conversations.create({ id, workspaceId, userId, projectId, title, mode, policyVersion, attended });
  };
