/** Opens the delegates of one call: only under a conversation that works, within what its tree and workspace may have, and never twice. */
import { Fault } from '@bravo/faults';
import type { Caller } from '../access/caller.ts';
import { checkGate } from '../access/check-gate.ts';
import type { Identity } from '../access/identity.ts';
import { checkContent } from '../conversations/conversation.ts';
import type { TellDelegates } from './tell-delegates.ts';
import type { DelegateStore } from './delegate-store.ts';
import { MAX_AT_ONCE } from './delegate.ts';

export interface OpenDelegatesParts {
  readonly delegates: DelegateStore;
  readonly identity: Identity;
  readonly tell: TellDelegates;
  kick(conversationId: string): void;
  newId(prefix: 'msg' | 'trn'): string;
}

export interface DelegatesRequest {
  readonly parentConversationId: string;
  readonly toolCallId: string;
  readonly kind: string;
  readonly instructions: string;
  readonly delegates: readonly { readonly conversationId: string; readonly task: string }[];
}

const CONVERSATION_ID = /^cnv_[0-9a-z]{26}$/;

/** @returns one name per asked delegate, empty where it was not opened. */
export const createOpenDelegates =
  ({ delegates, identity, tell, kick, newId }: OpenDelegatesParts) =>
  async (
    caller: Pick<Caller, 'workspaceId' | 'userId'>,
    asked: DelegatesRequest,
  ): Promise<{ readonly names: readonly string[]; readonly refusedBecause: string }> => {
    const count = asked.delegates.length;
    if (count === 0 || count > MAX_AT_ONCE)
      throw new Fault('invalid_argument', `A call opens 1 to ${MAX_AT_ONCE} delegates; this one asks for ${count}.`);
    for (const { conversationId, task } of asked.delegates) {
      if (!CONVERSATION_ID.test(conversationId))
        throw new Fault('invalid_argument', 'A delegate has no id of a conversation.');
      checkContent(task);
    }
    const { workspaceId, userId } = caller;
    const { rootId, names, refusedBecause } = await delegates.open({
      owner: { workspaceId, userId },
      parentId: asked.parentConversationId,
      toolCallId: asked.toolCallId,
      kind: asked.kind,
      instructions: asked.instructions,
      places: await checkGate(identity, workspaceId),
      delegates: asked.delegates.map((one) => ({ ...one, turnId: newId('trn'), messageId: newId('msg') })),
    });
    for (const conversationId of names.keys()) kick(conversationId);
    await tell({ workspaceId, userId }, rootId, [...names.keys()]);
    return { names: asked.delegates.map(({ conversationId }) => names.get(conversationId) ?? ''), refusedBecause };
  };
