/** Answers in Postgres, each sealed for the place of its question; written with the decision they belong to, gone with the conversation. */
import { z } from 'zod';
import type { BrokerDatabase, BrokerTransaction } from '../databases/broker-database.prisma.ts';
import { findKey } from '../slots/content-keys.prisma.ts';
import type { ContentVault } from '../slots/content-vault.ts';
import type { AnsweredQuestion, Answers } from './answer.ts';

const stored = z.strictObject({ options: z.array(z.int().min(1)), words: z.string(), skipped: z.boolean() });

const nameOf = (digest: string): string => `answer:${digest}`;

export const createAnswerStore = (database: BrokerDatabase, vault: ContentVault): Answers => ({
  find: async (conversationId, digests) => {
    const rows = await database.answer.findMany({ where: { conversationId, questionDigest: { in: [...digests] } } });
    const key = rows.length === 0 ? null : await findKey(database, conversationId);
    if (key === null) return new Map();
    return new Map(
      rows.map(({ questionDigest, content }) => {
        const opened = vault.open(key, { conversationId, name: nameOf(questionDigest) }, content);
        return [questionDigest, stored.parse(JSON.parse(opened.toString('utf8')))] as const;
      }),
    );
  },
  areTold: async (conversationId, digests) => {
    const wanted = new Set(digests);
    const told = await database.answer.count({
      where: { conversationId, questionDigest: { in: [...wanted] }, approval: { deliveredAt: { not: null } } },
    });
    return wanted.size > 0 && told === wanted.size;
  },
});

/** In the transaction of the decision. A question that stood in two calls keeps the newest answer. */
export const keepAnswers = async (
  tx: BrokerTransaction,
  vault: ContentVault,
  key: Uint8Array,
  { approvalId, conversationId }: { approvalId: string; conversationId: string },
  answers: readonly AnsweredQuestion[],
): Promise<void> => {
  for (const { digest, ...answer } of answers) {
    const place = { conversationId, name: nameOf(digest) };
    const content = vault.seal(key, place, Buffer.from(JSON.stringify(stored.parse(answer))));
    await tx.answer.upsert({
      where: { conversationId_questionDigest: { conversationId, questionDigest: digest } },
      create: { conversationId, questionDigest: digest, approvalId, content },
      update: { approvalId, content },
    });
  }
};
