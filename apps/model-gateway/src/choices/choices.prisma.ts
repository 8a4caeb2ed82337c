/** Choices in Postgres, each with its event in the same transaction. */
import { type Outbox, serviceActor, userActor } from '@bravo/events';
import type { Database } from '../databases/database.prisma.ts';
import { isEffort } from '../providers/model-provider.port.ts';
import type { Choice, ChoiceOwner, ChoiceScope, ChoiceStore } from './choice-store.ts';
import { NO_CHOICE } from './choice-store.ts';

type Transaction = Parameters<Parameters<Database['$transaction']>[0]>[0];

export const createChoiceStore = (database: Database, outbox: Outbox): ChoiceStore => {
  const tell = async (
    tx: Transaction,
    owner: ChoiceOwner,
    scope: ChoiceScope,
    choice: Choice,
    by: string,
  ): Promise<void> =>
    void (await outbox.appendEvent(tx, {
      type: 'agent.model.chosen',
      workspace: owner.workspaceId,
      ...(scope === 'conversation' ? { conversation: owner.conversationId } : {}),
      actor: by === '' ? serviceActor('models') : userActor(by),
      data: { scope, model: choice.model, effort: choice.effort },
    }));
  return {
    read: async (owner) => {
      const scopes = (['conversation', 'person', 'workspace'] as const).map((scope) => ({
        scope,
        scopeId: idOf(owner, scope),
      }));
      const rows = await database.modelChoice.findMany({ where: { workspaceId: owner.workspaceId, OR: scopes } });
      const choiceOf = (scope: ChoiceScope): Choice => {
        const row = rows.find((each) => each.scope === scope && each.scopeId === idOf(owner, scope));
        return row ? { model: row.model, effort: isEffort(row.effort) ? row.effort : '' } : NO_CHOICE;
      };
      return { conversation: choiceOf('conversation'), person: choiceOf('person'), workspace: choiceOf('workspace') };
    },
    put: (owner, scope, choice, by) =>
      database.$transaction(async (tx) => {
        const key = { workspaceId: owner.workspaceId, scope, scopeId: idOf(owner, scope) };
        const words = { model: choice.model, effort: choice.effort, updatedBy: by, updatedAt: new Date() };
        if (choice.model === '' && choice.effort === '') await tx.modelChoice.deleteMany({ where: key });
        else
          await tx.modelChoice.upsert({
            where: { workspaceId_scope_scopeId: key },
            create: { ...key, ...words },
            update: words,
          });
        await tell(tx, owner, scope, choice, by);
      }),
    reset: (owner, scope, model, to) =>
      database.$transaction(async (tx) => {
        const key = { workspaceId: owner.workspaceId, scope, scopeId: idOf(owner, scope) };
        const rows = await tx.modelChoice.updateManyAndReturn({
          where: { ...key, model },
          data: { model: to, updatedBy: '', updatedAt: new Date() },
        });
        const [row] = rows;
        if (row) await tell(tx, owner, scope, { model: to, effort: isEffort(row.effort) ? row.effort : '' }, '');
      }),
  };
};

const idOf = (owner: ChoiceOwner, scope: ChoiceScope): string => {
  switch (scope) {
    case 'workspace':
      return owner.workspaceId;
    case 'person':
      return owner.userId;
    case 'conversation':
      return owner.conversationId;
  }
};
