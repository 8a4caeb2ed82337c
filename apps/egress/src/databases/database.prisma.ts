/** The one connection pool of the egress; its record is built over it. */
import { createStatementNames } from '@bravo/chassis/statement-names';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../generated/prisma/client.ts';

export type Database = PrismaClient;

/** `url` names the schema in `?schema=`, which Prisma's adapter does not read by itself. */
export const createDatabase = (url: string): Database => {
  const schema = new URL(url).searchParams.get('schema') ?? 'egress';
  return new PrismaClient({
    adapter: new PrismaPg({ connectionString: url }, { schema, statementNameGenerator: createStatementNames() }),
  });
};
