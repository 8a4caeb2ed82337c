/** What a pod says on /ws/chat, read leniently: the pod is not trusted and a frame nobody knows is skipped, never fatal. */

export type PodFrame =
  | { readonly type: 'session_start'; readonly messageCount: number }
  | { readonly type: 'chunk'; readonly content: string }
  /** The broker tells of tool calls; here it only separates what is said before from what is said after. */
  | { readonly type: 'tool_call' }
  | { readonly type: 'approval_request'; readonly requestId: string }
  | {
      readonly type: 'done';
      readonly fullResponse: string;
      readonly inputTokens: number;
      readonly outputTokens: number;
    }
  | { readonly type: 'aborted' }
  | { readonly type: 'error'; readonly code: string; readonly message: string };

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const MAX_TOKENS = 2_000_000_000;
const count = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.min(Math.floor(value), MAX_TOKENS) : 0;

export const readPodFrame = (raw: string): PodFrame | undefined => {
  let frame: Record<string, unknown>;
  try {
    const parsed: unknown = JSON.parse(raw);
    if (typeof parsed !== 'object' || parsed === null) return undefined;
    frame = parsed as Record<string, unknown>;
  } catch {
    return undefined;
  }
  switch (frame['type']) {
    case 'session_start':
      return { type: 'session_start', messageCount: count(frame['message_count']) };
    case 'chunk':
      return { type: 'chunk', content: text(frame['content']) };
    case 'tool_call':
      return { type: 'tool_call' };
    case 'approval_request':
      return { type: 'approval_request', requestId: text(frame['request_id']) };
    case 'done':
      return {
        type: 'done',
        fullResponse: text(frame['full_response']),
        inputTokens: count(frame['input_tokens']),
        outputTokens: count(frame['output_tokens']),
      };
    case 'aborted':
      return { type: 'aborted' };
    case 'error':
      return { type: 'error', code: text(frame['code']), message: text(frame['message']) };
    default:
      return undefined;
  }
};
