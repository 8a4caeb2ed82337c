/** Transactions of the orchestrator: one that Postgres gave up for another's sake is done again, and whoever touches a conversation holds its row first. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Transaction } from './database.prisma.ts';

const ATTEMPTS = 5;
const PAUSE_MS = 20;

/** Deadlock and failed serialization as Postgres names them, and Prisma's name for both. */
const GIVEN_UP = ['40P01', '40001', 'P2034'];

/**
 * Runs `work` in a transaction, again from its beginning where Postgres rolled it back because of another one: `work` must
 * do nothing outside its transaction. @throws what the last attempt threw.
 */
export const inTransaction = async <T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.$transaction(work);
    } catch (error) {
      if (attempt >= ATTEMPTS || !wasGivenUp(error)) throw error;
    }
    // Not the same pause for all: those that met would meet again.
    await sleep(PAUSE_MS * attempt * (0.5 + Math.random()));
  }
};

/**
 * Holds the conversation's row until the transaction ends. Turns, pods and messages of a conversation are changed only after
 * this: all take the row first, so that no two wait for each other.
 */
export const holdConversation = async (tx: Transaction, conversationId: string): Promise<void> => {
  await tx.$queryRaw`SELECT "id" FROM "conversations" WHERE "id" = ${conversationId} FOR UPDATE`;
};

/** Prisma hands the code of Postgres on at another place for each kind of query. */
export const wasGivenUp = (error: unknown, depth = 0): boolean => {
  if (typeof error !== 'object' || error === null || depth > 4) return false;
  const { code, originalCode, kind, meta, driverAdapterError, cause } = error as Record<string, unknown>;
  if ([code, originalCode].some((known) => typeof known === 'string' && GIVEN_UP.includes(known))) return true;
  if (kind === 'TransactionWriteConflict') return true;
  return [meta, driverAdapterError, cause].some((inner) => wasGivenUp(inner, depth + 1));
};
