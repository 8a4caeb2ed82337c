/** Tells the person, in the stream of their turn, and the trail that a request was made smaller. Neither holds a word of what was said. */
import { type Outbox, serviceActor, type UncheckedTurnEvent } from '@bravo/events';
import type { AgentCaller } from '../callers/agent-caller.ts';
import type { Database } from '../databases/database.prisma.ts';
import type { Compacted } from './fit-request.ts';

export interface TellCompactionParts {
  readonly database: Database;
  readonly outbox: Outbox;
  readonly newId: () => string;
  readonly tellTurn: (
    workspaceId: string,
    conversationId: string,
    event: UncheckedTurnEvent,
    id: string,
  ) => Promise<unknown>;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
}

export const createTellCompaction =
  ({ database, outbox, newId, tellTurn, log }: TellCompactionParts) =>
  async ({ workspaceId, conversationId }: AgentCaller, compacted: Compacted): Promise<void> => {
    const { budget, messages, leftOut, tokensBefore, tokensAfter, summaryTokens } = compacted;
    await database.$transaction((tx) =>
      outbox.appendEvent(tx, {
        type: 'agent.context.compacted',
        workspace: workspaceId,
        conversation: conversationId,
        actor: serviceActor('models'),
        data: {
          ...{ when: 'request', model: budget.model, messages, left_out: leftOut },
          ...{
            tokens_before: tokensBefore,
            tokens_after: tokensAfter,
            summary_tokens: summaryTokens,
            approximate: true,
          },
        },
      }),
    );
    log('a request was made smaller', {
      conversation: conversationId,
      model: budget.model,
      messages,
      tokensBefore,
      tokensAfter,
    });
    const id = newId();
    const kind = summaryTokens > 0 ? 'context_compacted' : 'history_left_out';
    await tellTurn(
      workspaceId,
      conversationId,
      { event: 'notice', data: { id, kind, text: sentence(compacted) } },
      id,
    ).catch((err: unknown) => {
      log('a notice could not be published', { conversation: conversationId, err });
    });
  };

function sentence({ budget, messages, leftOut, tokensBefore, tokensAfter, summaryTokens }: Compacted): string {
  const about = (tokens: number): string => `about ${tokens.toLocaleString('en')}`;
  const outgrew = `The conversation outgrew ${budget.label} (${about(tokensBefore)} of ${budget.budgetTokens.toLocaleString('en')} tokens${budget.assumed ? ', an assumed figure' : ''})`;
  const size = `The request is ${about(tokensAfter)} tokens now; everything stays in the record.`;
  if (summaryTokens === 0)
    return `${outgrew}: its ${messages} oldest messages are not told to it any more${budget.summarises ? ', because no summary was smaller' : ', because it writes no summaries'}. ${size}`;
  const except = leftOut === 0 ? '' : ` (the first ${leftOut} of them not at all)`;
  return `${outgrew}: its ${messages} oldest messages are told to it as a summary of ${about(summaryTokens)} tokens${except}. ${size}`;
}
