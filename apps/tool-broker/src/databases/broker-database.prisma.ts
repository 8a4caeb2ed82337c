/** The broker's own database role and schema; nothing outside *.prisma.ts files may see its client. */
import { createStatementNames } from '@bravo/chassis/statement-names';
import { PrismaPg } from '@prisma/adapter-pg';
import { type Prisma, PrismaClient } from '../generated/prisma/client.ts';

export type BrokerDatabase = PrismaClient;
export type BrokerTransaction = Prisma.TransactionClient;

export const SCHEMA = 'broker';

/** @param connectionString with `?schema=`; it names the role that owns the schema and nothing else. */
export const openBrokerDatabase = (connectionString: string): BrokerDatabase =>
  new PrismaClient({
    adapter: new PrismaPg(
      { connectionString, max: 20 },
      { schema: SCHEMA, statementNameGenerator: createStatementNames() },
    ),
    transactionOptions: { maxWait: 5_000, timeout: 15_000 },
  });

/** Advances a row by compare-and-set: true for exactly one of all who try the same step. */
export const isOne = (result: { count: number }): boolean => result.count === 1;
