/** The one connection of automation: every store is built over it. */
import { createStatementNames } from '@bravo/chassis/statement-names';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../generated/prisma/client.ts';

export type Database = PrismaClient;
/** Inside a transaction, or the database itself. */
export type Transaction = Parameters<Parameters<Database['$transaction']>[0]>[0];

/** `url` names the schema in `?schema=`, which Prisma's adapter does not read by itself. */
export const createDatabase = (url: string): Database => {
  const schema = new URL(url).searchParams.get('schema') ?? 'automation';
  return new PrismaClient({
    adapter: new PrismaPg({ connectionString: url }, { schema, statementNameGenerator: createStatementNames() }),
  });
};
