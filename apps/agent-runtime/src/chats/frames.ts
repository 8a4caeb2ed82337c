/** The frames of `/ws/chat`, exactly as ZeroClaw names them; this file only shapes and parses, it decides nothing. */
import type { ApprovalRequest, Decision } from './approvals.ts';
import type { LoopOutcome } from '../loop/run-agent-loop.ts';

export type ErrorCode =
  // These refuse one frame and may arrive in the middle of a turn.
  | 'INVALID_JSON'
  | 'UNKNOWN_MESSAGE_TYPE'
  | 'EMPTY_CONTENT'
  | 'SESSION_QUEUE_FULL'
  | 'SESSION_QUEUE_TIMEOUT'
  | 'STEERING_CLOSED'
  | 'STEERING_QUEUE_FULL'
  | 'INVALID_APPROVAL_RESPONSE'
  // These end the connection.
  | 'INVALID_CWD'
  | 'AGENT_INIT_FAILED'
  | 'NEEDS_ONBOARDING'
  // These end the turn.
  | 'AUTH_ERROR'
  | 'PROVIDER_ERROR'
  | 'AGENT_ERROR';

export type ServerFrame =
  | { type: 'session_start'; session_id: string; resumed: boolean; message_count: number; name?: string }
  | { type: 'connected'; message: string }
  | { type: 'chunk' | 'thinking'; content: string }
  | { type: 'message'; session_id: string; role: string; content: string; source: 'api'; timestamp: string }
  | ApprovalRequest
  | { type: 'tool_call'; id: string; name: string; args: unknown }
  | { type: 'tool_result'; id: string; name: string; output: string }
  | { type: 'history_trimmed'; dropped_messages: number; kept_turns: number; reason: string }
  | { type: 'aborted' }
  | { type: 'error'; message: string; code: ErrorCode }
  | DoneFrame;

export interface DoneFrame {
  type: 'done';
  full_response: string;
  input_tokens: number | null;
  output_tokens: number | null;
  tokens_used: number | null;
  cost_usd: null;
  model: string;
  provider: string;
  max_context_tokens: number;
  last_input_tokens: number | null;
}

export type ClientFrame =
  | { type: 'connect'; sessionId: string | undefined; cwd: string | undefined }
  | { type: 'message'; content: string }
  | { type: 'approval_response'; requestId: string; decision: Decision };

/** What a client's frame means, or the error frame that refuses it. */
export function parseClientFrame(text: string): ClientFrame | Extract<ServerFrame, { type: 'error' }> {
  let frame: Record<string, unknown> | null;
  try {
    frame = JSON.parse(text) as typeof frame;
  } catch {
    return refuse('INVALID_JSON', 'The frame is not JSON.');
  }
  switch (frame?.['type']) {
    case 'connect':
      return { type: 'connect', sessionId: textOf(frame['session_id']), cwd: textOf(frame['cwd']) };
    case 'approval_response': {
      const decision = (['approve', 'always', 'deny'] as const).find((word) => word === frame?.['decision']);
      if (decision === undefined || typeof frame['request_id'] !== 'string')
        return refuse('INVALID_APPROVAL_RESPONSE', 'An approval_response needs a request_id and a decision.');
      return { type: 'approval_response', requestId: frame['request_id'], decision };
    }
    case 'message':
      if (typeof frame['content'] !== 'string' || frame['content'].trim() === '') {
        return refuse('EMPTY_CONTENT', 'A message needs content.');
      }
      return { type: 'message', content: frame['content'] };
    default:
      return refuse('UNKNOWN_MESSAGE_TYPE', 'A frame must be of type connect, message or approval_response.');
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export function refuse(code: ErrorCode, message: string): Extract<ServerFrame, { type: 'error' }> {
  return { type: 'error', message, code };
}

export function doneFrame(outcome: LoopOutcome, provider: string, maxContextTokens: number): DoneFrame {
  const { inputTokens, outputTokens } = outcome;
  return {
    type: 'done',
    full_response: outcome.text,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    tokens_used: inputTokens === null && outputTokens === null ? null : (inputTokens ?? 0) + (outputTokens ?? 0),
    // What a token costs is the platform's business; a pod that claimed a price would not be believed.
    cost_usd: null,
    model: outcome.model,
    provider,
    max_context_tokens: maxContextTokens,
    last_input_tokens: outcome.lastInputTokens,
  };
}
