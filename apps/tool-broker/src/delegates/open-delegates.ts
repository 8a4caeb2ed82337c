/** Opens delegates: what they hold is fixed here before the orchestrator can give anybody a token for them. */
import { Fault, isFault } from '@bravo/faults';
import type { DelegateHost, DelegateStore, OpenDelegates } from './delegates.ts';
import { DELEGATE_KINDS, isDelegateKind, narrowTools } from './kinds.ts';

export interface OpenDelegatesParts {
  readonly store: DelegateStore;
  readonly host: DelegateHost;
  readonly newId: () => string;
}

/** The orchestrator may have opened them or not: whoever asks again finds out. */
const SAYS_NOTHING = ['unavailable', 'deadline_exceeded', 'turn_cancelled', 'internal'];

export const createOpenDelegates =
  ({ store, host, newId }: OpenDelegatesParts): OpenDelegates =>
  async ({ who, toolCallId, kind, tasks }) => {
    if (!isDelegateKind(kind))
      throw new Fault(
        'invalid_argument',
        `There is no kind of delegate ${JSON.stringify(kind.slice(0, 60))}. There are: ${DELEGATE_KINDS.join(', ')}.`,
      );
    const { ids, tools } = await store.prepare({
      ...{ parentId: who.conversationId, toolCallId, kind, tasks, newId },
      narrow: ({ held, depth }) => narrowTools(kind, { held, depth }),
    });
    const delegates = ids.map((conversationId, index) => ({ conversationId, task: tasks[index] ?? '' }));
    try {
      const { names, refusedBecause } = await host.open(who, { toolCallId, kind, instructions: '', delegates });
      await store.settleNames(toolCallId, names);
      return { names: names.filter((name) => name !== ''), refusedBecause, tools };
    } catch (error) {
      if (isFault(error) && !SAYS_NOTHING.includes(error.code)) await store.settleNames(toolCallId, []);
      throw error;
    }
  };
