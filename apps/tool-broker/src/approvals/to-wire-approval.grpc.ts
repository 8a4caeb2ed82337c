/** A question for a person's page, with the whole call it is about. */
import type { Approval as WireApproval } from '@bravo/proto/broker';
import type { Approval } from './approval.ts';

export const toWireApproval = (approval: Approval): WireApproval => ({
  id: approval.id,
  toolCallId: approval.toolCallId,
  conversationId: approval.conversationId,
  tool: approval.tool,
  inputJson: approval.inputJson,
  why: approval.why,
  status: approval.status,
  asks: approval.asks.map(({ code, text }) => ({ code, text })),
  trustOutputOffered: approval.trustOutputOffered,
  callDigest: approval.callDigest,
  createdAt: approval.createdAt,
  expiresAt: approval.expiresAt,
  decidedBy: approval.decidedBy,
  decidedAt: approval.decidedAt,
  rememberRule: approval.rememberRule,
  asker:
    approval.asker === undefined
      ? undefined
      : {
          ...{ name: approval.asker.name, kind: approval.asker.kind, task: approval.asker.task },
          rootConversationId: approval.asker.rootId,
        },
  grantScopeJson: approval.grantScope === undefined ? '' : JSON.stringify(approval.grantScope),
});
