/** Answers about credentials in Postgres: a fingerprint each, made with the conversation's key, so that nothing is left of them when that goes. */
import { keyToSealWith } from '../slots/content-keys.prisma.ts';
import type { BrokerDatabase } from '../databases/broker-database.prisma.ts';
import type { ContentVault } from '../slots/content-vault.ts';
import type { CredentialAnswers } from './hold-credentials.ts';

export const createCredentialAnswers = (
  database: BrokerDatabase,
  vault: Pick<ContentVault, 'fingerprint' | 'newKey' | 'seal' | 'open'>,
): CredentialAnswers => {
  const fingerprints = async (conversationId: string, values: readonly string[]): Promise<readonly string[]> => {
    const key = await keyToSealWith(database, vault, conversationId);
    return values.map((value) => vault.fingerprint(key, { conversationId, name: 'credential' }, Buffer.from(value)));
  };
  return {
    unanswered: async (conversationId, approvedCallId, values) => {
      const prints = await fingerprints(conversationId, values);
      const ofThese = { conversationId, fingerprint: { in: [...prints] } };
      if (approvedCallId !== undefined)
        await database.credentialFinding.updateMany({
          where: { ...ofThese, toolCallId: approvedCallId, releasedAt: null },
          data: { releasedAt: new Date() },
        });
      const released = await database.credentialFinding.findMany({
        where: { ...ofThese, releasedAt: { not: null } },
        select: { fingerprint: true },
      });
      const known = new Set(released.map(({ fingerprint }) => fingerprint));
      return new Set(values.filter((_, at) => !known.has(prints[at]!)));
    },
    ask: async (conversationId, toolCallId, values) => {
      const prints = await fingerprints(conversationId, [...new Set(values)]);
      await database.credentialFinding.createMany({
        data: prints.map((fingerprint) => ({ conversationId, toolCallId, fingerprint })),
        skipDuplicates: true,
      });
    },
  };
};
