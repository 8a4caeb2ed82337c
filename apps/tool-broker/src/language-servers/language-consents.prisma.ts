/** Yeses to language servers in Postgres, one row per conversation and language. */
import type { BrokerDatabase } from '../databases/broker-database.prisma.ts';
import { holdOpen } from '../conversations/hold-open.prisma.ts';
import type { LanguageConsents } from './language-consent.ts';

export const createLanguageConsents = (database: BrokerDatabase): LanguageConsents => ({
  has: async (conversationId, language) =>
    (await database.languageConsent.count({ where: { conversationId, language } })) > 0,
  keep: async (conversationId, language, toolCallId) => {
    await database.$transaction(async (tx) => {
      await holdOpen(tx, conversationId);
      await tx.languageConsent.createMany({ data: { conversationId, language, toolCallId }, skipDuplicates: true });
    });
  },
});
