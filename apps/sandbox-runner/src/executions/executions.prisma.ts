/** The execution log in Postgres; one statement or one transaction per step, so that a crash leaves a row that tells the truth. */
import { createStatementNames } from '@bravo/chassis/statement-names';
import { PrismaPg } from '@prisma/adapter-pg';
import { Prisma, PrismaClient } from '../generated/prisma/client.ts';
import type { ExecutionLog, KnownExecution } from './execution-log.port.ts';
import { UNKNOWN_RESULT, type ExecutionResult } from './execution.ts';

export type Database = PrismaClient;

/** `url` names the schema in `?schema=`, which Prisma's adapter does not read by itself. */
export const createDatabase = (url: string): Database => {
  const schema = new URL(url).searchParams.get('schema') ?? 'sandbox';
  return new PrismaClient({
    adapter: new PrismaPg({ connectionString: url }, { schema, statementNameGenerator: createStatementNames() }),
  });
};

/** `instance` names the state directory, `runner` this one process over it. */
export interface RunnerName {
  readonly instance: string;
  readonly runner: string;
}

type StoredResult = Omit<ExecutionResult, 'files'>;

/** What is in jsonb goes through JSON, where a NUL in a file name cannot be; names were cleaned by the harvest. */
const storedResult = ({ files: _, ...rest }: ExecutionResult): Prisma.InputJsonValue =>
  rest as unknown as Prisma.InputJsonValue;

const bytes = (value: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(value);

export const createExecutionLog = (database: Database, name: RunnerName): ExecutionLog => {
  const unique = ({ workspaceId, executionId }: { workspaceId: string; executionId: string }) => ({
    workspaceId_id: { workspaceId, id: executionId },
  });

  const eraseWhere = async (where: Prisma.ExecutionWhereInput): Promise<void> => {
    await database.$transaction([
      database.executionFile.deleteMany({ where: { execution: where } }),
      database.execution.updateMany({ where, data: { result: Prisma.DbNull, stdout: null, stderr: null } }),
    ]);
  };

  return {
    async begin({ workspaceId, executionId, conversationId, requestDigest, mayRunUntil }) {
      const { count } = await database.execution.createMany({
        data: [
          { workspaceId, id: executionId, conversationId, requestDigest, mayRunUntil, status: 'started', ...name },
        ],
        skipDuplicates: true,
      });
      if (count === 1) return undefined;
      const row = await database.execution.findUniqueOrThrow({
        where: unique({ workspaceId, executionId }),
        include: { files: { orderBy: { path: 'asc' } } },
      });
      return knownExecution(row, name);
    },
    async find(key, conversationId) {
      const row = await database.execution.findUnique({
        where: unique(key),
        include: { files: { orderBy: { path: 'asc' } } },
      });
      return row === null || row.conversationId !== conversationId ? undefined : knownExecution(row, name);
    },
    async finish(key, result, output) {
      const end = {
        where: { workspaceId: key.workspaceId, id: key.executionId, status: 'started' },
        data: {
          status: 'finished',
          finishedAt: new Date(),
          result: storedResult(result),
          stdout: bytes(output.stdout),
          stderr: bytes(output.stderr),
        },
      };
      // Most programs leave no file, and then one statement is the whole transaction.
      if (result.files.length === 0) return (await database.execution.updateMany(end)).count > 0;
      return database.$transaction(async (tx) => {
        const { count } = await tx.execution.updateMany(end);
        if (count === 0) return false;
        await tx.executionFile.createMany({
          data: result.files.map(({ path, mode, content }) => ({
            workspaceId: key.workspaceId,
            executionId: key.executionId,
            path,
            mode,
            content: bytes(content),
          })),
        });
        return true;
      });
    },
    async withdraw(key) {
      await database.execution.deleteMany({
        where: { workspaceId: key.workspaceId, id: key.executionId, status: 'started' },
      });
    },
    async settleAbandoned() {
      const { count } = await database.execution.updateMany({
        where: { status: 'started', instance: name.instance, runner: { not: name.runner } },
        data: { status: 'finished', finishedAt: new Date(), result: storedResult(UNKNOWN_RESULT) },
      });
      return count;
    },
    eraseConversation: (workspaceId, conversationId) => eraseWhere({ workspaceId, conversationId, status: 'finished' }),
    eraseFinishedBefore: (moment) => eraseWhere({ finishedAt: { lt: moment }, status: 'finished' }),
  };
};

type Row = Prisma.ExecutionGetPayload<{ include: { files: true } }>;

const knownExecution = (row: Row, name: RunnerName): KnownExecution => {
  const { requestDigest, mayRunUntil } = row;
  if (row.status === 'started') {
    return { status: 'started', requestDigest, mayRunUntil, mine: row.instance === name.instance };
  }
  if (row.result === null) return { status: 'erased', requestDigest };
  const files = row.files.map(({ path, mode, content }) => ({ path, mode, content }));
  return {
    status: 'finished',
    requestDigest,
    result: { ...(row.result as unknown as StoredResult), files },
    output: { stdout: row.stdout ?? new Uint8Array(), stderr: row.stderr ?? new Uint8Array() },
  };
};
