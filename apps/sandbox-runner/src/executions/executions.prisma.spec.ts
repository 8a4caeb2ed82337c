import { afterAll, beforeAll } from '@jest/globals';
import { startTestPostgres, type TestPostgres } from '@bravo/testing';
import { describeExecutionLog } from './execution-log.contract.ts';
import { createDatabase, createExecutionLog, type Database } from './executions.prisma.ts';

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

describeExecutionLog((runner, instance = 'i1') => createExecutionLog(database, { instance, runner }));
