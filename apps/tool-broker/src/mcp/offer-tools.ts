/** Which tools an agent is shown, in a fixed order. Being shown a tool permits nothing: every call is decided by itself. */
import { judgeToolLists } from '@bravo/policy';
import type { Agent } from '../access/agent.ts';
import { type ConversationStore, holdsTool } from '../conversations/conversation.ts';
import type { ToolCatalogue } from '../manifests/catalogue.ts';
import type { ToolDefinition } from '../manifests/tool-definition.ts';

export type OfferTools = (agent: Agent) => Promise<readonly ToolDefinition[]>;

/** A warm pod sees the first-party tools; a bound one what the policy its conversation started with leaves of them. */
export const createOfferTools =
  (catalogue: ToolCatalogue, conversations: Pick<ConversationStore, 'find'>): OfferTools =>
  async (agent) => {
    const all = [...catalogue.values()].filter(({ manifest }) => manifest.origin === 'first_party');
    if (!agent.bound) return all;
    const conversation = await conversations.find(agent.conversationId);
    const config = conversation?.config ?? 'unknown';
    if (conversation === undefined || config === 'unknown' || !config.enabled) return [];
    return all.filter(
      ({ manifest }) => holdsTool(conversation, manifest.name) && judgeToolLists(manifest, config) === undefined,
    );
  };
