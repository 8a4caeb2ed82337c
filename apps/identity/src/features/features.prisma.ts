/** Plans and feature overrides in Postgres; an override changes together with its event. */
import type { Database } from '../databases/database.prisma.ts';
import type { EventLog } from '../events/event-log.prisma.ts';
import { type FeatureOverride, type FeatureStore, isFeature } from './feature.ts';

export const createFeatureStore = (database: Database, events: EventLog): FeatureStore => ({
  readFacts: async (workspaceId, feature) => {
    const row = await database.workspace.findUnique({
      where: { id: workspaceId },
      include: { featureOverrides: { where: { feature } } },
    });
    if (!row) return undefined;
    const [override] = row.featureOverrides;
    return {
      plan: row.plan,
      override: override ? { enabled: override.enabled, expiresAt: override.expiresAt ?? undefined } : undefined,
    };
  },
  listOverrides: async (workspaceId) =>
    (await database.featureOverride.findMany({ where: { workspaceId }, orderBy: { feature: 'asc' } })).flatMap(
      toOverride,
    ),
  putOverride: ({ workspaceId, feature, enabled, reason, createdBy, expiresAt }, actor) =>
    database.$transaction(async (tx) => {
      const data = { enabled, reason, createdBy, createdAt: new Date(), expiresAt: expiresAt ?? null };
      const row = await tx.featureOverride.upsert({
        where: { workspaceId_feature: { workspaceId, feature } },
        create: { workspaceId, feature, ...data },
        update: data,
      });
      await events.append(tx, {
        type: 'agent.feature.changed',
        workspace: workspaceId,
        actor,
        data: { feature, enabled, reason },
      });
      return { ...row, feature, expiresAt: row.expiresAt ?? undefined };
    }),
});

interface Row extends Omit<FeatureOverride, 'feature' | 'expiresAt'> {
  readonly feature: string;
  readonly expiresAt: Date | null;
}

/** A row of a feature this release no longer knows says nothing. */
const toOverride = ({
  workspaceId,
  feature,
  enabled,
  reason,
  createdBy,
  createdAt,
  expiresAt,
}: Row): FeatureOverride[] =>
  isFeature(feature)
    ? [{ workspaceId, feature, enabled, reason, createdBy, createdAt, expiresAt: expiresAt ?? undefined }]
    : [];
