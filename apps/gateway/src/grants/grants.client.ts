/** Grants at the tool-broker; an answer without the grant it tells of is an error, never an empty one. */
import { Fault } from '@bravo/faults';
import type * as proto from '@bravo/proto/broker';
import { textOfInstant } from '../routes/shapes.ts';
import type { BrokerClient } from '../tool-calls/tool-broker.client.ts';
import type { GrantView } from './grant-routes.ts';
import type { Grants } from './grants.ts';

export const createGrants = (client: BrokerClient): Grants => ({
  create: async (subject, { conversationId, tool, scope, ttlSeconds = 0 }) => {
    const request = { conversationId, tool, scopeJson: JSON.stringify(scope), ttlSeconds };
    return toGrant((await client.createGrant(request, { subject })).grant);
  },
  list: async (subject, conversationId) =>
    (await client.listGrants({ conversationId }, { subject })).grants.map(toGrant),
  revoke: async (subject, conversationId, grantId) => {
    await client.revokeGrant({ conversationId, grantId }, { subject });
  },
  answerStepUp: async (subject, { conversationId, toolCallId, ttlSeconds = 0 }) =>
    toGrant((await client.answerStepUp({ conversationId, toolCallId, ttlSeconds }, { subject })).grant),
});

const toGrant = (grant: proto.Grant | undefined): GrantView => {
  if (!grant) throw new Fault('internal', 'The broker answered without the grant.');
  return {
    id: grant.id,
    conversation_id: grant.conversationId,
    tool: grant.tool,
    scope: JSON.parse(grant.scopeJson) as GrantView['scope'],
    source: grant.source,
    tool_call_id: grant.toolCallId,
    created_at: textOfInstant(grant.createdAt),
    expires_at: textOfInstant(grant.expiresAt),
  };
};
