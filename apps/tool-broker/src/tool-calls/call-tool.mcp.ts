/** `tools/call` of both protocol eras. A client is told that a call waits and where a person can answer; nothing it sends back is an answer (D3). */
import { inputRequired, type CallToolResult, type InputRequiredResult } from '@modelcontextprotocol/server';
import { Fault, isFault } from '@bravo/faults';
import { canonicalDigest } from '@bravo/policy';
import type { Agent, BoundAgent } from '../access/agent.ts';
import type { ToolArguments } from '../manifests/tool-definition.ts';
import type { ValidateArguments } from '../mcp/argument-validator.mcp.ts';
import { LineUnusable } from '../lines/resolve-line.ts';
import { createCallLimits } from '../mcp/limit-calls.ts';
import { toResult } from '../mcp/tool-result.mcp.ts';
import type { CallTool } from './call-tool.ts';
import { createJoinCalls } from './join-calls.ts';
import type { RejectArguments } from './reject-arguments.ts';
import { refusal, type ToolAnswer } from './tool-call.ts';

export interface McpCall {
  readonly agent: Agent;
  currentAgent(): Promise<Agent>;
  readonly tool: string;
  readonly given: unknown;
  /** Session and JSON-RPC id: one client gives it to one request. */
  readonly requestId: string;
  readonly holdMs: number;
  readonly signal: AbortSignal;
  /** Whether the client can be sent to a URL, and whether it has been there for this call already. */
  readonly canOpenUrl: boolean;
  readonly returned: boolean;
  /** Whether the client takes structured content. */
  readonly structured: boolean;
}

export interface McpCallParts {
  readonly callTool: CallTool;
  readonly rejectArguments: RejectArguments;
  readonly validateArguments: ValidateArguments;
  /** Where a person answers questions of the agent's conversation. */
  readonly pageOf: (agent: BoundAgent) => string;
  readonly onError: (error: unknown, tool: string) => string;
}

export type HandleMcpCall = (call: McpCall) => Promise<CallToolResult | InputRequiredResult>;

export const createHandleMcpCall = ({
  callTool,
  rejectArguments,
  validateArguments,
  pageOf,
  onError,
}: McpCallParts): HandleMcpCall => {
  const joinCalls = createJoinCalls<ToolAnswer>();
  const limits = createCallLimits();
  return async (call) => {
    const { agent, tool, given } = call;
    const tell = (answer: ToolAnswer): CallToolResult => toResult(answer, call.structured);
    try {
      if (!agent.bound)
        return tell(refusal('Refused: this agent is bound to no conversation yet and may call no tool.'));
      const currentAgent = async (): Promise<BoundAgent> => {
        const now = await call.currentAgent();
        if (!now.bound || now.conversationId !== agent.conversationId)
          throw new Fault('unauthenticated', 'The agent token no longer names this conversation.');
        return now;
      };
      const asksByUrl = call.canOpenUrl && !call.returned;
      const request = {
        agent,
        currentAgent,
        tool,
        holdMs: call.holdMs,
        waitsForPerson: !asksByUrl,
      };
      const problems = await validateArguments(tool, given);
      const answer = await joinCalls(keyOf(call, agent), call.signal, async (signal) => {
        const place = await limits.enter(agent.tokenId, signal);
        const full = { ...request, arguments: asArguments(given), signal, onJudged: place.judged };
        try {
          if (problems.length > 0) return await rejectArguments(full, problems);
          return await callTool(full).catch((error: unknown) => {
            if (error instanceof LineUnusable) return rejectArguments(full, [error.detail]);
            throw error;
          });
        } finally {
          place.leave();
        }
      });
      if (answer.kind === 'waiting' && asksByUrl) {
        return inputRequired({
          inputRequests: { approval: inputRequired.elicitUrl({ message: answer.text, url: pageOf(agent) }) },
        });
      }
      return tell(answer);
    } catch (error) {
      if (isFault(error) && error.row.public) return tell(refusal(error.detail));
      const reference = onError(error, tool);
      return tell(
        refusal(
          `Something went wrong on our side (${reference}). If an effect had begun, its outcome is found from the record; nothing is done twice.`,
        ),
      );
    }
  };
};

/** Different arguments under one id are different calls: an id alone is the client's word. */
const keyOf = ({ requestId, tool, given, returned }: McpCall, { tokenId }: BoundAgent): string =>
  canonicalDigest([tokenId, requestId, tool, JSON.stringify(given), returned]);

const asArguments = (given: unknown): ToolArguments =>
  typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as ToolArguments) : {};
