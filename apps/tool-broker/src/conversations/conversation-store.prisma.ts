/** Conversations in Postgres; what cannot be read back comes back as `unknown`, which denies. */
import { type Outbox, serviceActor, userActor } from '@bravo/events';
import { Fault } from '@bravo/faults';
import { isMode, type Mode, readContext } from '@bravo/policy';
import { z } from 'zod';
import { statusesBefore } from '../approvals/approval-state.ts';
import { place, questionData } from '../approvals/approval-store.prisma.ts';
import { workIdOf } from '../approvals/continue-turn.ts';
import type { BrokerDatabase } from '../databases/broker-database.prisma.ts';
import { endGrants } from '../grants/grant-store.prisma.ts';
import { eraseSchedules } from '../schedules/erase-schedules.prisma.ts';
import { ownWords } from '../tool-calls/end-in-own-words.prisma.ts';
import type { ConversationStore } from './conversation.ts';
import { treeOf } from '../delegates/tree.prisma.ts';
import { holdOpen } from './hold-open.prisma.ts';

const names = z.array(z.string());
const storedConfig = z.strictObject({
  enabled: z.boolean(),
  allowedTools: names,
  deniedTools: names,
  requireApproval: names,
  codeExecEnabled: z.boolean(),
  policyVersion: z.string().min(1),
});
const storedLayers = z.array(
  z.strictObject({
    layer: z.enum(['platform', 'workspace', 'user']),
    version: z.int().min(0),
    text: z.string(),
  }),
);

const storedRepository = z.strictObject({
  text: z.string(),
  revision: z.string(),
  trusted: z.boolean(),
  accepted: names,
});

/** @param outbox is told which questions end with a conversation, and loses the work that repeats its arguments. */
export const createConversationStore = (
  database: BrokerDatabase,
  outbox: Pick<Outbox, 'dropWork' | 'appendEvent'>,
): ConversationStore => ({
  find: async (id) => {
    const row = await database.conversation.findUnique({ where: { id } });
    if (row === null) return undefined;
    return {
      id: row.id,
      workspaceId: row.workspaceId,
      userId: row.userId,
      mode: isMode(row.mode) ? row.mode : 'unknown',
      config: readStored(storedConfig, row.config),
      settings: readStored(storedLayers, row.settings),
      repository: row.repository === '' ? undefined : readStored(storedRepository, row.repository),
      context: readContext({ integrity: row.integrity, holdsPrivate: row.holdsPrivate }),
      attended: row.attended,
      ended: row.erasedAt !== null,
      ...(row.parentId === null || row.rootId === null
        ? {}
        : {
            delegate: {
              ...{ parentId: row.parentId, rootId: row.rootId, depth: row.depth },
              ...{ name: row.delegateName, kind: row.kind, task: row.task },
              tools: readStored(names, row.tools),
            },
          }),
    };
  },
  snapshot: async ({ id, workspaceId, userId, projectId, mode, config, settings, attended }) => {
    const data = {
      id,
      workspaceId,
      userId,
      projectId,
      mode,
      attended,
      policyVersion: config.policyVersion,
      config: JSON.stringify(config),
      settings: JSON.stringify(settings),
    };
    await database.conversation.createMany({ data: [data], skipDuplicates: true });
    const row = await database.conversation.findUniqueOrThrow({ where: { id } });
    return { policyVersion: row.policyVersion, owner: { workspaceId: row.workspaceId, userId: row.userId } };
  },
  setMode: async (id, workspaceId, userId, mode: Mode) => {
    // A delegate has the mode of the conversation it works for, at every moment.
    const own = { id, workspaceId, userId, erasedAt: null, rootId: null };
    if ((await database.conversation.count({ where: own })) === 0) return false;
    await database.conversation.updateMany({
      where: { workspaceId, userId, erasedAt: null, OR: [{ id }, { rootId: id }] },
      data: { mode },
    });
    return true;
  },
  erase: (id, workspaceId) =>
    database.$transaction(async (tx) => {
      // The row is locked first, so that a call in flight cannot add a slot or arguments behind this.
      await tx.conversation.updateMany({
        where: { id, workspaceId, erasedAt: null },
        // Without the key nothing that was sealed opens again, wherever a copy of it is.
        data: { erasedAt: new Date(), repository: '', contentKey: null, task: '' },
      });
      if ((await tx.conversation.count({ where: { id, workspaceId } })) === 0) return;
      const where = { conversationId: id };
      await tx.slot.deleteMany({ where });
      await tx.answer.deleteMany({ where });
      await tx.pathTrust.deleteMany({ where });
      await tx.acceptedDefinition.deleteMany({ where });
      await tx.credentialFinding.deleteMany({ where });
      await tx.languageConsent.deleteMany({ where });
      await tx.turnNotice.deleteMany({ where });
      await tx.job.updateMany({
        where: { ...where, status: 'running' },
        data: { status: 'ended', endedAt: new Date() },
      });
      const questions = await tx.approval.findMany({ where });
      await outbox.dropWork(tx, questions.map(workIdOf));
      const open: readonly string[] = statusesBefore('superseded');
      for (const question of questions.filter(({ status }) => open.includes(status))) {
        await outbox.appendEvent(tx, {
          type: 'agent.tool.superseded',
          ...place(question),
          actor: serviceActor('broker'),
          onBehalfOf: question.userId,
          causation: question.toolCallId,
          data: { ...questionData(question), reason: 'the conversation ended' },
        });
      }
      await tx.approval.updateMany({
        where: { ...where, status: { in: [...open] } },
        data: { status: 'superseded' },
      });
      await endGrants(tx, outbox, id);
      await eraseSchedules(tx, outbox, id);
      await tx.approval.updateMany({
        where,
        data: { input: ERASED_INPUT, why: '', grantScope: '', rememberRule: '', preview: null },
      });
      await tx.toolCall.updateMany({ where, data: { input: ERASED_INPUT, why: '', output: '', stepUp: '' } });
      await tx.toolCall.updateMany({ where: { ...where, status: 'needs_approval' }, data: ownWords('refused', ENDED) });
      // What still runs needs its effect to be brought to its end; it goes with the end.
      await tx.toolCall.updateMany({ where: { ...where, status: { not: 'running' } }, data: { effect: '' } });
    }),
  keepRepository: async (id, seen) => {
    await database.conversation.updateMany({
      where: { id, repository: '', erasedAt: null },
      data: { repository: JSON.stringify(seen) },
    });
    const { repository } = await database.conversation.findUniqueOrThrow({ where: { id } });
    if (repository === '') throw new Fault('conversation_ended', 'The conversation has ended.');
    return storedRepository.parse(JSON.parse(repository));
  },
  acceptRules: ({ id, workspaceId, userId }, rules) =>
    database.$transaction(async (tx) => {
      await holdOpen(tx, id);
      const row = await tx.conversation.findFirst({ where: { id, workspaceId, userId } });
      if (row === null || row.repository === '')
        throw new Fault('not_found', 'No settings file was seen among the files of this conversation.');
      const kept = storedRepository.parse(JSON.parse(row.repository));
      const after = { ...kept, accepted: [...new Set([...kept.accepted, ...rules])] };
      if (after.accepted.length === kept.accepted.length) return kept;
      const moved = await tx.conversation.updateMany({
        where: { id, repository: row.repository },
        data: { repository: JSON.stringify(after) },
      });
      if (moved.count !== 1) throw new Fault('version_conflict', 'Rules were accepted at the same moment. Try again.');
      await outbox.appendEvent(tx, {
        type: 'agent.settings.changed',
        workspace: workspaceId,
        conversation: id,
        actor: userActor(userId),
        data: { layer: 'repository', version: 1 + after.accepted.length, changed: ['permissions.allow'] },
      });
      return after;
    }),
  trustMap: async (id, since) => {
    // Looked at before the marks: a program that ended in between has left its own among them.
    const tree = await treeOf(database, id);
    const programs = await database.job.count({
      where: {
        conversationId: { in: [...tree] },
        OR: [{ status: 'running' }, ...(since === undefined ? [] : [{ endedAt: { gte: since } }])],
      },
    });
    const rows = await database.pathTrust.findMany({ where: { conversationId: id } });
    // What a program that runs will write nobody can know, so meanwhile nothing is vouched for.
    if (programs > 0) return rows.map((row) => ({ path: row.path, trust: false }));
    return rows.map((row) => ({ path: row.path, trust: row.trusted }));
  },
});

const ENDED = 'The conversation has ended, so the call was not made.';
/** What is left of arguments: statuses, reasons and digests stay, words go. */
const ERASED_INPUT = '{}';

const readStored = <T>(schema: z.ZodType<T>, text: string): T | 'unknown' => {
  try {
    const result = schema.safeParse(JSON.parse(text));
    return result.success ? result.data : 'unknown';
  } catch {
    return 'unknown';
  }
};
