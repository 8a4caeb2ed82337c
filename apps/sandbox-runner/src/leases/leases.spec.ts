/** Leases in a real Postgres and in memory, under the same contract. */
import { afterAll, beforeAll, describe } from '@jest/globals';
import { startTestPostgres, type TestPostgres } from '@bravo/testing';
import { createDatabase, type Database } from '../executions/executions.prisma.ts';
import { describeLeaseStore } from './lease-store.contract.ts';
import { createLeaseStore } from './leases.prisma.ts';
import { memoryLeases } from './memory-leases.fixture.ts';

describe('in Postgres', () => {
  let postgres: TestPostgres;
  let database: Database;
  beforeAll(async () => {
    postgres = await startTestPostgres({ app: 'sandbox-runner', schema: 'sandbox' });
    database = createDatabase(postgres.url('sandbox'));
  }, 60_000);
  afterAll(async () => {
    await database.$disconnect();
    await postgres.stop();
  });
  describeLeaseStore((holder) => createLeaseStore(database, holder));
});

describe('in memory', () => {
  const rows = new Map();
  describeLeaseStore((holder) => memoryLeases(rows, holder));
});
