/** One tool call from request to answer: gather, decide, approve, execute, label, publish. Nothing happens that was not decided and recorded before. */
import { decide } from '@bravo/policy';
import type { RequestApproval } from '../approvals/request-approval.ts';
import type { ExecuteEffect } from './execute-effect.ts';
import type { GatherFacts } from './gather-facts.ts';
import { startPatience } from './hold-patience.ts';
import type { LabelOutput } from './label-output.ts';
import type { LiveEffects } from './live-effects.ts';
import type { PublishToolCall } from './publish-tool-call.ts';
import type { RecordDecision } from './record-decision.ts';
import type { ToolAnswer, ToolCallRequest } from './tool-call.ts';

export interface CallToolSteps {
  readonly gatherFacts: GatherFacts;
  readonly recordDecision: RecordDecision;
  readonly requestApproval: RequestApproval;
  readonly executeEffect: ExecuteEffect;
  readonly labelOutput: LabelOutput;
  readonly publishToolCall: PublishToolCall;
  readonly live: LiveEffects;
}

export type CallTool = (request: ToolCallRequest) => Promise<ToolAnswer>;

export const createCallTool =
  (steps: CallToolSteps): CallTool =>
  async (request) => {
    const patience = startPatience(request.holdMs);
    const gathered = await steps.gatherFacts(request);
    const decision = decide(gathered.facts);
    const permit =
      decision.effect === 'ask'
        ? await steps.requestApproval(gathered, decision)
        : await steps.recordDecision(gathered, decision);
    if (permit.kind === 'answer') return permit.answer;
    request.onJudged?.();
    const { effect } = permit;
    const answer = patience.orComeBack(effect, (keepCaller) =>
      steps.live.run(effect, async (signal) => {
        const result = await steps.executeEffect(effect, signal);
        const finished = await steps.labelOutput(effect, result);
        return steps.publishToolCall(effect, finished, keepCaller());
      }),
    );
    const caller = steps.live.attend(effect, request.signal);
    return answer.finally(() => caller.leave());
  };
