/** One tool call from request to answer: gather, decide, approve, execute, label, publish. Nothing happens that was not decided and recorded before. */
import { decide } from '@bravo/policy';
import type { RequestApproval } from '../approvals/request-approval.ts';
import type { ExecuteEffect } from './execute-effect.ts';
import type { GatherFacts } from './gather-facts.ts';
import { startPatience } from './hold-patience.ts';
import type { LabelOutput } from './label-output.ts';
import type { PublishToolCall } from './publish-tool-call.ts';
import type { ToolAnswer, ToolCallRequest } from './tool-call.ts';

export interface CallToolSteps {
  readonly gatherFacts: GatherFacts;
  readonly requestApproval: RequestApproval;
  readonly executeEffect: ExecuteEffect;
  readonly labelOutput: LabelOutput;
  readonly publishToolCall: PublishToolCall;
}

export type CallTool = (request: ToolCallRequest) => Promise<ToolAnswer>;

export const createCallTool =
  ({ gatherFacts, requestApproval, executeEffect, labelOutput, publishToolCall }: CallToolSteps): CallTool =>
  async (request) => {
    const patience = startPatience(request.holdMs);
    const gathered = await gatherFacts(request);
    const decision = decide(gathered.facts);
    const permit = await requestApproval(gathered, decision);
    if (permit.kind === 'answer') return permit.answer;
    return patience.orComeBack(permit.effect, async (keepCaller) => {
      const result = await executeEffect(permit.effect, request.signal);
      const finished = await labelOutput(permit.effect, result);
      return publishToolCall(permit.effect, finished, keepCaller());
    });
  };
