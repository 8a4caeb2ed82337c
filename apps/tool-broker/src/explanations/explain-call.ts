/** What would be decided of a call if it were made now, by the very facts and the very decision of a real one. It has no effect, asks nobody and records nothing. */
import { Fault } from '@bravo/faults';
import { type Explanation, explainCall, FRESH_CONTEXT, type JsonObject } from '@bravo/policy';
import { untouchedFacts } from '@bravo/workspace-files';
import { planOf } from '../lines/plan-of-call.ts';
import type { BoundAgent, Identity } from '../access/agent.ts';
import type { PersonPrincipal } from '../access/person.ts';
import { type Conversation, type ConversationStore, isOwnedBy } from '../conversations/conversation.ts';
import { policyOfNow } from '../conversations/policy-of-now.ts';
import type { ToolArguments } from '../manifests/tool-definition.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { type FactSources, gatherFactsOf } from '../tool-calls/gather-facts.ts';

export interface HypotheticalCall {
  /** Empty: as in a conversation that begins now, in Co-worker mode, without a file. */
  readonly conversationId: string;
  readonly tool: string;
  readonly arguments: ToolArguments;
}

export interface ExplainedCall extends Explanation {
  readonly policyVersion: string;
  /** What a command line was compiled to; absent where the call has none. */
  readonly plan?: JsonObject;
  /** What could not be read, in words that may be shown. */
  readonly problems: readonly string[];
}

export type ExplainCall = (person: PersonPrincipal, call: HypotheticalCall) => Promise<ExplainedCall>;

/** @throws Fault not_found for a conversation of someone else, conversation_ended. */
export const createExplainCall =
  (sources: FactSources): ExplainCall =>
  async (person, call) => {
    const begins = call.conversationId === '';
    const [conversation, { role, permissions }] = await Promise.all([
      begins ? newConversation(sources.identity, person) : ownConversation(sources.conversations, person, call),
      sources.identity.resolveMember(person.workspaceId, person.userId),
    ]);
    const agent: BoundAgent = {
      ...{ bound: true, tokenId: '', podId: '', userName: '', workspaceSlug: '', expiresAt: 0 },
      ...{ ...person, conversationId: conversation.id, role, permissions },
    };
    const { facts, problems } = await gatherFactsOf(
      begins
        ? {
            ...sources,
            ...NOTHING_YET,
            sandbox: { ...NOTHING_YET.sandbox, programs: () => sources.sandbox.programs() },
          }
        : sources,
      { tool: call.tool, arguments: call.arguments },
      agent,
      conversation,
    );
    const policyVersion = facts.config === 'unknown' ? '' : facts.config.policyVersion;
    const plan = planOf(facts.resolvedTargets);
    return { ...explainCall(facts), policyVersion, problems, ...(plan === undefined ? {} : { plan }) };
  };

const ownConversation = async (
  conversations: Pick<ConversationStore, 'find'>,
  person: PersonPrincipal,
  { conversationId }: HypotheticalCall,
): Promise<Conversation> => {
  const conversation = await conversations.find(conversationId);
  if (conversation === undefined || !isOwnedBy(conversation, person))
    throw new Fault('not_found', 'There is no such conversation.');
  if (conversation.ended)
    throw new Fault('conversation_ended', 'The conversation has ended, so no tool can be called in it.');
  return conversation;
};

const newConversation = async (
  identity: Pick<Identity, 'agentConfig' | 'settings'>,
  person: PersonPrincipal,
): Promise<Conversation> => ({
  id: 'a conversation that begins now',
  ...person,
  mode: 'coworker',
  ...(await policyOfNow(identity, person)),
  repository: undefined,
  context: FRESH_CONTEXT,
  attended: true,
  ended: false,
});

/** The files of a conversation that nobody has begun. */
const NOTHING_YET = {
  conversations: { trustMap: async () => [] },
  slots: { refs: async () => [] },
  grants: { live: async () => [] },
  answers: { areTold: async () => false },
  // It would begin with a line its person types.
  isOfferedInTurn: async () => true,
  readLayers: async ({ settings }: Conversation, _who: unknown, policyVersion: string) => ({
    layers: settings,
    policyVersion,
    problems: [],
  }),
  sandbox: {
    // A name that is no path of a workspace is refused as the toolbox would.
    stat: async (_who: unknown, path: string) => untouchedFacts(path),
    list: async (_who: unknown, directory: string) => ({
      ...{ entries: [], truncated: false },
      landing: untouchedFacts(directory).landing,
    }),
  } satisfies Pick<Sandbox, 'stat' | 'list'>,
};
