/** Jobs in Postgres. An end is settled with its marks and its event in one transaction, so that a file is never vouched for between them. */
import { agentActor, type Outbox } from '@bravo/events';
import { Fault } from '@bravo/faults';
import { createHash } from 'node:crypto';
import { treeOf } from '../delegates/tree.prisma.ts';
import { holdOpen } from '../conversations/hold-open.prisma.ts';
import { type BrokerDatabase, type BrokerTransaction, isOne } from '../databases/broker-database.prisma.ts';
import type { JobReading } from '../sandbox/sandbox.ts';
import { type Jobs, jobName, type KnownJob } from './job.ts';
import { tellEnd } from './tell-steps.ts';

const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
/** A look at running jobs is taken of so many at once. */
const BATCH = 200;

interface Row {
  id: string;
  conversationId: string;
  workspaceId: string;
  userId: string;
  number: number;
  status: string;
  trustOutput: boolean;
  stdoutSeen: bigint;
  stderrSeen: bigint;
  toldAt: Date | null;
}

const known = (row: Row): KnownJob => ({
  id: row.id,
  conversationId: row.conversationId,
  workspaceId: row.workspaceId,
  userId: row.userId,
  number: row.number,
  ended: row.status !== 'running',
  told: row.toldAt !== null,
  trustOutput: row.trustOutput,
  stdoutSeen: Number(row.stdoutSeen),
  stderrSeen: Number(row.stderrSeen),
});

export const createJobStore = (database: BrokerDatabase, outbox: Pick<Outbox, 'appendEvent' | 'appendWork'>): Jobs => ({
  begin: ({ background, ...job }) =>
    database.$transaction(async (tx) => {
      await holdOpen(tx, job.conversationId);
      const row = await tx.job.findUnique({ where: { id: job.id } });
      if (row !== null) return { job: known(row), isNew: false };
      // One after another: two jobs of one conversation never have one name.
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${`job ${job.conversationId}`}))`;
      const { _max } = await tx.job.aggregate({
        where: { conversationId: job.conversationId },
        _max: { number: true },
      });
      const number = background ? (_max.number ?? 0) + 1 : 0;
      const made = await tx.job.create({ data: { ...job, number } });
      return { job: known(made), isNew: true };
    }),
  withdraw: async (id) => {
    await database.job.deleteMany({ where: { id, status: 'running' } });
  },
  find: async (conversationId, number) => {
    const row = await database.job.findFirst({ where: { conversationId, number } });
    return row === null ? undefined : known(row);
  },
  saw: async (id, { stdout, stderr, end }) => {
    await database.job.updateMany({
      where: { id },
      data: { stdoutSeen: BigInt(stdout), stderrSeen: BigInt(stderr), ...(end ? { toldAt: new Date() } : {}) },
    });
  },
  settle: (job, end, tell) =>
    database.$transaction(async (tx) => {
      // An ended conversation has no marks and no turns any more, and its job ended with it.
      await holdOpen(tx, job.conversationId).catch((error: unknown) => {
        if (!(error instanceof Fault)) throw error;
      });
      const ended = await tx.job.updateMany({
        where: { id: job.id, status: 'running' },
        data: { status: 'ended', endedAt: new Date() },
      });
      if (!isOne(ended)) return;
      const row = await tx.job.findUniqueOrThrow({ where: { id: job.id }, include: { conversation: true } });
      if (row.conversation.erasedAt !== null) return;
      await distrust(tx, job, end);
      if (job.number === 0) return;
      await outbox.appendEvent(tx, {
        type: 'agent.code.executed',
        workspace: job.workspaceId,
        conversation: job.conversationId,
        actor: agentActor(job.userId),
        onBehalfOf: job.userId,
        causation: job.id,
        data: { ...ranData(job, end), code_digest: row.planDigest, code_bytes: row.planBytes },
      });
      if (!tell || row.toldAt !== null) return;
      await tx.job.updateMany({ where: { id: job.id }, data: { toldAt: new Date() } });
      await outbox.appendWork(tx, {
        work_id: `wrk_${job.id}`,
        workspace_id: job.workspaceId,
        conversation_id: job.conversationId,
        user_id: job.userId,
        reason: 'job_ended',
        prompt:
          `[platform] The background job ${jobName(job)} has ended. ${tellEnd(end).join(' ')} ` +
          `job_output with job "${jobName(job)}" brings what it printed since you last looked.`,
      });
    }),
  runningIn: async (conversationId) => {
    const rows = await database.job.findMany({ where: { conversationId, status: 'running' } });
    return rows.map(known);
  },
  running: async () => {
    const rows = await database.job.findMany({
      where: { status: 'running', conversation: { erasedAt: null } },
      orderBy: { startedAt: 'asc' },
      take: BATCH,
    });
    return rows.map(known);
  },
});

/** What a program may have written nobody vouches for; where it is not known what, nothing is vouched for any more. */
const distrust = async (tx: BrokerTransaction, { id, conversationId }: KnownJob, end: JobReading): Promise<void> => {
  const now = { trusted: false, writtenBy: id, updatedAt: new Date() };
  // Whoever shares the files has them changed.
  const tree = await treeOf(tx, conversationId);
  const place = { conversationId: { in: [...tree] } };
  if (end.changesLost || end.outcome === 'outcome_unknown') {
    await tx.pathTrust.updateMany({ where: { ...place, trusted: true }, data: now });
    return;
  }
  if (end.changed.length === 0) return;
  await tx.pathTrust.updateMany({ where: { ...place, path: { in: [...end.changed] } }, data: now });
  // Also where a directory above is vouched for.
  await tx.pathTrust.createMany({
    data: tree.flatMap((member) => end.changed.map((path) => ({ conversationId: member, path, ...now }))),
    skipDuplicates: true,
  });
};

/** What the trail is told of a background job's end. */
const ranData = ({ id }: KnownJob, end: JobReading) => {
  const last = end.steps.filter(({ ran }) => ran).at(-1);
  return {
    tool_call_id: id,
    execution_id: id,
    language: 'line',
    outcome: end.outcome,
    exit_code: last?.exitCode ?? 0,
    duration_ms: end.durationMs,
    stdout_bytes: end.stdout.length,
    stdout_digest: sha256(end.stdout),
    stderr_bytes: end.stderr.length,
    stderr_digest: sha256(end.stderr),
    files: end.changed.length,
  };
};
