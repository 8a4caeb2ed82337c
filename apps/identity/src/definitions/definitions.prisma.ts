/** Skills and agent definitions in Postgres, replaced by compare-and-set on the version, together with the event. */
import { createHash } from 'node:crypto';
import { DEFINITION_KINDS } from '@bravo/policy';
import type { Database } from '../databases/database.prisma.ts';
import type { EventLog } from '../events/event-log.prisma.ts';
import type { DefinitionModel } from '../generated/prisma/models.ts';
import { DEFINITION_LAYERS, type DefinitionKey, type DefinitionStore, type StoredDefinition } from './definition.ts';

export const createDefinitionStore = (database: Database, events: EventLog): DefinitionStore => ({
  list: async ({ workspaceId, userId, kind, name }) => {
    const rows = await database.definition.findMany({
      where: {
        workspaceId,
        userId: { in: ['', userId] },
        ...(kind === '' ? {} : { kind }),
        ...(name === '' ? {} : { name }),
      },
      // "workspace" before "user".
      orderBy: [{ layer: 'desc' }, { kind: 'asc' }, { name: 'asc' }],
    });
    return rows.map(toStored);
  },
  count: ({ kind, layer, workspaceId, userId }) =>
    database.definition.count({ where: { kind, layer, workspaceId, userId } }),
  replace: (key, { seen, description, text, updatedBy, actor }) =>
    database.$transaction(async (tx) => {
      const data = { description, text, version: seen + 1, updatedBy, updatedAt: new Date() };
      const where = whereOf(key);
      const [row] =
        seen === 0
          ? await tx.definition.createManyAndReturn({ data: { ...where, ...data }, skipDuplicates: true })
          : await tx.definition.updateManyAndReturn({ where: { ...where, version: seen }, data });
      if (!row) return undefined;
      const digest = createHash('sha256').update(text).digest('hex');
      await events.append(tx, {
        ...told(key, actor),
        data: { ...about(key), version: row.version, bytes: Buffer.byteLength(text), digest },
      });
      return toStored(row);
    }),
  remove: (key, actor) =>
    database.$transaction(async (tx) => {
      const { count } = await tx.definition.deleteMany({ where: whereOf(key) });
      if (count === 0) return false;
      await events.append(tx, { ...told(key, actor), data: { ...about(key), version: 0, bytes: 0 } });
      return true;
    }),
});

const whereOf = ({ kind, layer, workspaceId, userId, name }: DefinitionKey) => ({
  ...{ kind, layer, workspaceId, userId, name },
});

const told = ({ workspaceId }: DefinitionKey, actor: string) =>
  ({ type: 'agent.definition.changed', workspace: workspaceId, actor }) as const;

const about = ({ kind, layer, name }: DefinitionKey) => ({ kind, layer, name });

const toStored = ({ kind, layer, ...row }: DefinitionModel): StoredDefinition => ({
  ...row,
  // The table holds no other.
  kind: DEFINITION_KINDS.find((known) => known === kind) ?? 'skill',
  layer: DEFINITION_LAYERS.find((known) => known === layer) ?? 'user',
});
