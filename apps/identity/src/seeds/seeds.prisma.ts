/** Seeds in Postgres: the mark and the content are one transaction, so two processes that start at once seed once. */
import { toRow } from '../agent-configs/agent-configs.prisma.ts';
import type { Database, Transaction } from '../databases/database.prisma.ts';
import type { SeededWorkspace, SeedStore } from './seed-demo.ts';

const SEEDED_BY = 'service:identity';

export const createSeedStore = (database: Database): SeedStore => ({
  applyOnce: (name, { people, workspaces }) =>
    database.$transaction(async (tx) => {
      const { count } = await tx.seed.createMany({ data: { name }, skipDuplicates: true });
      if (count === 0) return false;
      await tx.person.createMany({ data: [...people] });
      for (const seeded of workspaces) await createWorkspace(tx, seeded);
      return true;
    }),
});

const createWorkspace = async (
  tx: Transaction,
  { workspace, members, features, config }: SeededWorkspace,
): Promise<void> => {
  const workspaceId = workspace.id;
  await tx.workspace.create({ data: workspace });
  await tx.member.createMany({ data: members.map((member) => ({ workspaceId, ...member })) });
  await tx.featureOverride.createMany({
    data: features.map((feature) => ({
      workspaceId,
      feature,
      enabled: true,
      reason: 'demo workspace',
      createdBy: SEEDED_BY,
    })),
  });
  await tx.agentConfig.create({ data: { workspaceId, ...toRow(config), version: 1, updatedBy: SEEDED_BY } });
};
