/** CreateGrant, ListGrants, RevokeGrant and AnswerStepUp on the wire; each in the name of a person, and none of an agent. */
import type { Handlers } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import { isJsonObject, type JsonObject, readStrictJson } from '@bravo/policy';
import type { BrokerServiceService, Grant as WireGrant } from '@bravo/proto/broker';
import { personOf } from '../access/person.ts';
import { type ConversationStore, isOwnedBy } from '../conversations/conversation.ts';
import type { createAnswerStepUp } from './answer-step-up.ts';
import type { createCreateGrant } from './create-grant.ts';
import type { Grant, GrantStore } from './grant.ts';

type Methods = 'createGrant' | 'listGrants' | 'revokeGrant' | 'answerStepUp';

export const grantHandlers = (use: {
  readonly createGrant: ReturnType<typeof createCreateGrant>;
  readonly answerStepUp: ReturnType<typeof createAnswerStepUp>;
  readonly grants: Pick<GrantStore, 'live' | 'revoke'>;
  readonly conversations: Pick<ConversationStore, 'find'>;
  readonly now: () => number;
}): Pick<Handlers<typeof BrokerServiceService>, Methods> => ({
  createGrant: async ({ conversationId, tool, scopeJson, ttlSeconds }, { principal }) => {
    const request = { ...personOf(principal), conversationId, tool, scope: readScopeOf(scopeJson), ttlSeconds };
    return { grant: toWireGrant(await use.createGrant(request)) };
  },
  answerStepUp: async ({ conversationId, toolCallId, ttlSeconds }, { principal }) => ({
    grant: toWireGrant(await use.answerStepUp({ ...personOf(principal), conversationId, toolCallId, ttlSeconds })),
  }),
  listGrants: async ({ conversationId }, { principal }) => {
    const conversation = await use.conversations.find(conversationId);
    if (conversation === undefined || !isOwnedBy(conversation, personOf(principal)))
      throw new Fault('not_found', 'There is no such conversation.');
    return { grants: (await use.grants.live(conversationId, use.now())).map(toWireGrant) };
  },
  revokeGrant: async ({ conversationId, grantId }, { principal }) => {
    const owner = { ...personOf(principal), conversationId };
    if (!(await use.grants.revoke(owner, grantId, 'the person revoked it')))
      throw new Fault('not_found', 'There is no such grant in this conversation.');
    return {};
  },
});

export const toWireGrant = (grant: Grant): WireGrant => ({
  id: grant.id,
  conversationId: grant.conversationId,
  tool: grant.tool,
  scopeJson: JSON.stringify(grant.scope),
  source: grant.source,
  toolCallId: grant.toolCallId,
  createdAt: grant.createdAt,
  expiresAt: new Date(grant.expiresAt),
});

const readScopeOf = (text: string): JsonObject => {
  const reading = readStrictJson(text);
  if (reading.ok && isJsonObject(reading.value)) return reading.value;
  const why = reading.ok ? 'it must be one JSON object' : reading.text;
  throw new Fault('invalid_argument', `The scope cannot be read: ${why}.`, { meta: { field: 'scope' } });
};
