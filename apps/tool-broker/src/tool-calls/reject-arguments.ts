/** Refuses a call whose arguments do not fit the tool's schema, and records that it was refused: nothing was decided about it and nothing may happen. */
import type { CredentialScanner } from '../credentials/credential.ts';
import { maskCredentials } from '../credentials/given-credentials.ts';
import type { ConversationStore } from '../conversations/conversation.ts';
import type { TellTurn } from '../turn-notices/turn-notices.ts';
import type { ToolCallLedger } from './tool-call-ledger.ts';
import { refusal, type ToolAnswer, type ToolCallRequest } from './tool-call.ts';

export type RejectArguments = (request: ToolCallRequest, problems: readonly string[]) => Promise<ToolAnswer>;

/** An argument as long as this is not worth keeping when the call is refused anyway. */
const MAX_KEPT_CHARS = 20_000;

export const createRejectArguments =
  (parts: {
    ledger: Pick<ToolCallLedger, 'refuse'>;
    conversations: Pick<ConversationStore, 'find'>;
    notices: TellTurn;
    credentials: CredentialScanner;
    newToolCallId: () => string;
  }): RejectArguments =>
  async (request, problems) => {
    const answer = refusal(
      `Refused: the arguments do not fit ${request.tool}. ${problems.join(' ')} Correct them and call again.`,
    );
    const conversation = await parts.conversations.find(request.agent.conversationId);
    if (conversation === undefined || conversation.ended) return answer;
    const kept =
      JSON.stringify(request.arguments).length <= MAX_KEPT_CHARS
        ? await maskCredentials(parts.credentials, request.arguments)
        : {};
    const policyVersion = conversation.config === 'unknown' ? 'unknown' : conversation.config.policyVersion;
    const text = answer.text;
    await parts.ledger.refuse(
      { toolCallId: parts.newToolCallId(), request: { ...request, arguments: kept }, policyVersion },
      { step: 'arguments', reasons: [{ code: 'arguments_invalid', text }], text },
    );
    await parts.notices.tell(request.agent.conversationId);
    return answer;
  };
