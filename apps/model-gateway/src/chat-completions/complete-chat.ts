/**
 * Answers one chat completion: a ledger row, then the provider's answer, then the end of the row.
 *
 * The end is in the ledger before the caller learns of it. An answer that was cut off ends as failed and throws; a
 * caller that goes away ends the call as cancelled and stops the provider.
 */
import { Fault } from '@bravo/faults';
import type { AgentCaller } from '../callers/agent-caller.ts';
import { ModelProviderError } from '../providers/model-provider.port.ts';
import type { ModelEvent, ModelProvider, ModelRequest } from '../providers/model-provider.port.ts';
import type { CallEnd, UsageLedger } from '../usage/usage-ledger.ts';

/** `model`: "default", or an id that is listed. */
export type ChatQuestion = ModelRequest;

export interface ChatAnswer {
  /** The model that answers, as listed. */
  readonly model: string;
  readonly events: AsyncIterable<ModelEvent>;
}

export type CompleteChat = (caller: AgentCaller, question: ChatQuestion) => Promise<ChatAnswer>;

/** @throws Fault not_found for a model that is not offered; model_unavailable or model_failed while the events are read. */
export const createCompleteChat = (provider: ModelProvider, ledger: UsageLedger): CompleteChat => {
  return async (caller, question) => {
    const model = chooseModel(provider, question.model);
    const id = await ledger.begin(caller, model);
    return { model, events: answer(provider, { ...question, model }, (end) => ledger.end(id, end)) };
  };
};

export function chooseModel(provider: ModelProvider, asked: string): string {
  const found = asked === 'default' ? provider.models[0] : provider.models.find(({ id }) => id === asked);
  if (!found)
    throw new Fault('not_found', `There is no model ${JSON.stringify(asked.slice(0, 100))} here; ask for "default".`);
  return found.id;
}

async function* answer(
  provider: ModelProvider,
  request: ModelRequest,
  record: (end: CallEnd) => Promise<void>,
): AsyncGenerator<ModelEvent> {
  // A reader that stops early runs only the `finally`, and that is a cancelled call.
  let end: CallEnd = { status: 'cancelled' };
  let recorded = false;
  try {
    for await (const event of provider.stream(request)) {
      if (event.type === 'finish') {
        end = { status: 'completed', usage: event.usage };
        recorded = true;
        await record(end);
        yield event;
        return;
      }
      yield event;
    }
    throw new ModelProviderError('broken', 'The answer of the model was cut off before its end.');
  } catch (error) {
    if (request.signal.aborted)
      throw new Fault('turn_cancelled', 'Nobody waits for the answer any more.', { cause: error });
    if (!(error instanceof ModelProviderError)) {
      end = { status: 'failed', failure: 'internal' };
      throw error;
    }
    end = { status: 'failed', failure: error.kind };
    throw new Fault(error.kind === 'unavailable' ? 'model_unavailable' : 'model_failed', error.message, {
      cause: error,
    });
  } finally {
    if (!recorded) await record(end);
  }
}
