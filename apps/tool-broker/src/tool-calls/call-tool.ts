/** One tool call from request to answer: gather, decide, approve, execute, label, publish. Nothing happens that was not decided and recorded before. */
import { createCounter } from '@bravo/chassis/metrics';
import { inSpan } from '@bravo/chassis/spans';
import { decide } from '@bravo/policy';
import type { RequestApproval } from '../approvals/request-approval.ts';
import { type AnswerRead, isQuiet } from './answer-read.ts';
import type { LookAhead } from './look-ahead.ts';
import type { ExecuteEffect } from './execute-effect.ts';
import type { HeldCredential } from '../credentials/hold-credentials.ts';
import type { GatherFacts, Gathered } from './gather-facts.ts';
import { startPatience } from './hold-patience.ts';
import type { LabelOutput } from './label-output.ts';
import type { LiveEffects } from './live-effects.ts';
import type { PublishToolCall } from './publish-tool-call.ts';
import type { RecordDecision } from './record-decision.ts';
import type { ToolAnswer, ToolCallRequest } from './tool-call.ts';

export interface CallToolSteps {
  readonly gatherFacts: GatherFacts;
  /** Of an allowed call that changes nothing and tells nobody. */
  readonly answerRead: AnswerRead;
  /** Of a read that a person is asked about anyway: the credentials it would show. */
  readonly lookAhead: LookAhead;
  readonly recordDecision: RecordDecision;
  readonly requestApproval: RequestApproval;
  readonly executeEffect: ExecuteEffect;
  readonly labelOutput: LabelOutput;
  readonly publishToolCall: PublishToolCall;
  readonly live: LiveEffects;
  /** Throws while what is done could not be told. */
  readonly requireTrail: () => void;
}

const decisions = createCounter('bravo_tool_calls_total', 'Tool calls by what was decided of them.', ['decision']);

export type CallTool = (request: ToolCallRequest) => Promise<ToolAnswer>;

export const createCallTool =
  (steps: CallToolSteps): CallTool =>
  (request) =>
    inSpan('call-tool', () => callTool(steps, request), {
      attributes: { 'bravo.conversation': request.agent.conversationId },
    });

const callTool = async (steps: CallToolSteps, request: ToolCallRequest): Promise<ToolAnswer> => {
  steps.requireTrail();
  const patience = startPatience(request.holdMs);
  let { gathered, decision } = await inSpan('decide', async (span) => {
    const gathered = await steps.gatherFacts(request);
    const decision = decide(gathered.facts);
    span.set({ 'bravo.decision': decision.effect });
    return { gathered, decision };
  });
  decisions.count({ decision: decision.effect });
  const { tool } = gathered.facts;
  if (decision.effect !== 'deny' && tool.kind === 'known' && isQuiet(tool.manifest)) {
    const read =
      decision.effect === 'allow'
        ? await steps.answerRead(gathered, decision)
        : await steps.lookAhead(gathered, decision);
    if (read.kind === 'answer') return read.answer;
    gathered = withHeld(gathered, read.held);
    decision = decide(gathered.facts);
  }
  if (decision.effect === 'deny') gathered = withoutCredentials(gathered);
  const permit =
    decision.effect === 'ask'
      ? await inSpan('request-approval', () => steps.requestApproval(gathered, decision))
      : await steps.recordDecision(gathered, decision);
  if (permit.kind === 'answer') return permit.answer;
  request.onJudged?.();
  const { effect } = permit;
  const about = { attributes: { 'bravo.tool': effect.call.tool, 'bravo.tool_call': effect.toolCallId } };
  const answer = patience.orComeBack(effect, (keepCaller) =>
    steps.live.run(effect, async (signal) => {
      const result = await inSpan('execute', () => steps.executeEffect(effect, signal), about);
      const finished = await inSpan('label', () => steps.labelOutput(effect, result), about);
      return steps.publishToolCall(effect, finished, keepCaller());
    }),
  );
  const caller = steps.live.attend(effect, request.signal);
  return answer.finally(() => caller.leave());
};

const withHeld = (gathered: Gathered, held: readonly HeldCredential[]): Gathered => {
  if (held.length === 0 || gathered.facts.credentials === 'unknown') return gathered;
  const shown = held.map(({ at, kind, place, declared }) => ({ at, kind, place, declared }));
  return { ...gathered, held, facts: { ...gathered.facts, credentials: [...gathered.facts.credentials, ...shown] } };
};

/** What is refused is recorded and told, and so without what it was not to hold. */
const withoutCredentials = (gathered: Gathered): Gathered => {
  const { request, masked } = gathered;
  if (masked === undefined) return gathered;
  const { why } = request.arguments;
  return { ...gathered, request: { ...request, arguments: { ...masked, ...(why === undefined ? {} : { why }) } } };
};
