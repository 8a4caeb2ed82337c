/**
 * Answers a pod's call in its conversation's context: what the platform tells stands at its head, in the place of whatever the pod
 * wrote there, and what does not fit the window is made to. A pod can leave neither out.
 */
import type { Answer, AnswerCall, Question } from '../answers/answer-call.ts';
import type { Answered, Refit } from '../attempts/answer-patiently.ts';
import type { AgentCaller } from '../callers/agent-caller.ts';
import type { ChooseModel } from '../choices/choose-model.ts';
import type { ModelMessage } from '../providers/model-provider.port.ts';
import { usualInputTokens } from '../quotas/estimate-tokens.ts';
import type { FitRequest } from './fit-request.ts';
import type { InstructionStore, TheInstructions } from './instruction-store.ts';

export interface AnswerInContextParts {
  readonly chooseModel: ChooseModel;
  readonly answerCall: AnswerCall;
  readonly instructions: InstructionStore;
  readonly fitRequest: FitRequest;
}

export type AnswerInContext = (caller: AgentCaller, question: Question) => Promise<Answer>;

export const createAnswerInContext =
  ({ chooseModel, answerCall, instructions, fitRequest }: AnswerInContextParts): AnswerInContext =>
  async (caller, question) => {
    const [choice, told] = await Promise.all([
      chooseModel(caller),
      instructions.find(caller.workspaceId, caller.conversationId),
    ]);
    const headed = { ...question, messages: withInstructions(question.messages, told) };
    const messages = await fitRequest.fit(caller, choice, headed);
    const asked = { ...headed, messages };
    let sent = { model: choice.targets[0].id, estimated: usualInputTokens(asked) };
    const refit: Refit = async (target) => {
      const refitted = await fitRequest.fit(caller, { ...choice, targets: [target] }, headed);
      sent = { model: target.id, estimated: usualInputTokens({ ...headed, messages: refitted }) };
      return refitted;
    };
    const { model, events } = await answerCall(caller, asked, choice, refit);
    return {
      model,
      events: measure(events, (counted) =>
        fitRequest.measured.measure(caller.conversationId, sent.model, sent.estimated, counted),
      ),
    };
  };

/** A runtime's own system text gives way; what it inserts later (a warning of its loop) is told as its own words. */
export function withInstructions(
  messages: readonly ModelMessage[],
  told: TheInstructions | undefined,
): readonly ModelMessage[] {
  if (!told) return messages;
  const begin = messages.findIndex(({ role }) => role !== 'system');
  const said = begin === -1 ? [] : messages.slice(begin);
  const rest = said.map((message): ModelMessage =>
    message.role === 'system' ? { role: 'user', content: `[runtime] ${message.content}` } : message,
  );
  return [{ role: 'system', content: told.text }, ...rest];
}

async function* measure(events: Answer['events'], counted: (tokens: number) => void): AsyncGenerator<Answered> {
  for await (const event of events) {
    if (event.type === 'finish' && event.usage.inputTokens !== null) counted(event.usage.inputTokens);
    yield event;
  }
}
