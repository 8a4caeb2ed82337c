/** sandbox-runner over gRPC, in the name of the conversation's person through the agent wherever a conversation is touched. */
import { type GrpcClient, peerReady, type Subject } from '@bravo/chassis';
import { Fault, toFault } from '@bravo/faults';
import type {
  FileFacts as WireFacts,
  RunPlan,
  SandboxServiceService,
  WorkspaceServiceService,
} from '@bravo/proto/sandbox';
import {
  type Executed,
  type Execution,
  type FileFacts,
  NothingBegan,
  type OnBehalfOf,
  type ProgramsUnavailable,
  type Sandbox,
  type SandboxPlan,
} from './sandbox.ts';

/** The longest a program may run, with time for starting it and for taking its files out. */
const EXECUTION_TIMEOUT_MS = 400_000;
/** A job may wait its turn behind others that take their whole time. */
const JOB_START_MS = 620_000;
const LOOK_MS = 15_000;
const GIT_MS = 25_000;
const PROGRAMS_FRESH_MS = 60_000;
const MAX_STREAM_BYTES = 64 * 1024 * 1024;

export const createSandbox = (
  workspaces: GrpcClient<typeof WorkspaceServiceService>,
  sandbox: GrpcClient<typeof SandboxServiceService>,
): Sandbox => ({
  stat: (who, path) =>
    unbegun(async () => {
      const { facts } = await workspaces.statFile(
        { conversationId: who.conversationId, path },
        { subject: subjectOf(who) },
      );
      return factsOf(facts);
    }),
  read: (who, path, maxBytes, offset = 0) =>
    unbegun(async () => {
      const answer = await workspaces.readFile(
        { conversationId: who.conversationId, path, maxBytes, offset },
        { subject: subjectOf(who) },
      );
      return { content: answer.content, size: answer.size, truncated: answer.truncated, facts: factsOf(answer.facts) };
    }),
  erase: async ({ conversationId, workspaceId }) => {
    // The broker's own work at a conversation's end: a workspace is enough, and no person needs to be there.
    await workspaces.eraseWorkspace({ conversationId }, { subject: { userId: 'service:broker', workspaceId } });
  },
  list: (who, directory, depth, maxEntries, options) =>
    unbegun(async () => {
      const answer = await workspaces.listFiles(
        { conversationId: who.conversationId, directory, depth, maxEntries, ...options },
        { subject: subjectOf(who) },
      );
      return { entries: answer.entries, truncated: answer.truncated, landing: answer.landing };
    }),
  search: (who, { patterns, ...asked }) =>
    unbegun(() =>
      workspaces.searchFiles(
        { conversationId: who.conversationId, patterns: [...patterns], ...asked, maxMatches: 0 },
        { subject: subjectOf(who) },
      ),
    ),
  write: async (who, path, content, expectedRevision, operationId) => {
    const request = {
      conversationId: who.conversationId,
      path,
      content: Buffer.from(content),
      expectedRevision,
      // It was judged as the place it lands at, so a link that took its place meanwhile is not followed.
      expectedLanding: path,
      operationId,
    };
    await unbegun(() => connected(workspaces));
    const answer = await workspaces.writeFile(request, { subject: subjectOf(who) });
    return { created: answer.created, facts: factsOf(answer.facts) };
  },
  readGit: (who, query) =>
    unbegun(() =>
      workspaces.readGit(
        { conversationId: who.conversationId, ...query },
        { subject: subjectOf(who), timeoutMs: GIT_MS },
      ),
    ),
  remove: async (who, path, expectedRevision) => {
    await unbegun(() => connected(workspaces));
    return workspaces.removeFile(
      { conversationId: who.conversationId, path, expectedRevision },
      { subject: subjectOf(who) },
    );
  },
  programs: createPrograms(sandbox),
  runJob: async (who, { plan, timeoutSeconds, stdin, ...job }) => {
    await unbegun(() => connected(sandbox));
    const { notices } = await sandbox.runJob(
      {
        ...job,
        conversationId: who.conversationId,
        plan: planToWire(plan),
        stdin: Buffer.from(stdin),
        limits: { timeoutSeconds, memoryMb: 0, cpu: 0 },
      },
      { subject: subjectOf(who), timeoutMs: JOB_START_MS },
    );
    return notices;
  },
  readJob: async ({ userId, workspaceId, conversationId }, look, signal) =>
    sandbox.readJobOutput(
      { ...look, conversationId },
      {
        subject: { userId, workspaceId },
        timeoutMs: look.waitSeconds * 1_000 + LOOK_MS,
        ...(signal === undefined ? {} : { signal }),
      },
    ),
  cancelJob: async ({ userId, workspaceId }, jobId) => {
    await sandbox.cancelExecution({ executionId: jobId }, { subject: { userId, workspaceId } });
  },
  execute: async (who, execution, signal) => {
    await unbegun(() => connected(sandbox));
    // The stream stays open: the end of the program, also an ordered one, is what gets recorded.
    const cancel = (): void =>
      void sandbox
        .cancelExecution({ executionId: execution.executionId }, { subject: subjectOf(who) })
        .catch(() => undefined);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      if (signal.aborted) cancel();
      return await runToEnd(sandbox, who, execution);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  },
});

const planToWire = ({ steps, connectors }: SandboxPlan): RunPlan => ({
  steps: steps.map(({ argv, program, env, redirects }) => ({
    argv: [...argv],
    program,
    env: { ...env },
    redirects: redirects.map(({ op, path }) => ({ op, path })),
  })),
  connectors: [...connectors],
});

/** About the machine and no conversation, so asked in the broker's own name and remembered for a while. */
const createPrograms = (sandbox: GrpcClient<typeof SandboxServiceService>): Sandbox['programs'] => {
  let known: { readonly until: number; readonly programs: Promise<ReadonlyMap<string, string>> } | undefined;
  return () => {
    if (known === undefined || known.until < Date.now()) {
      const programs = unbegun(() => sandbox.listPrograms({}, { timeoutMs: 60_000 })).then(
        (answer) => new Map(answer.programs.map(({ name, path }) => [name, path])),
      );
      known = { until: Date.now() + PROGRAMS_FRESH_MS, programs };
      programs.catch(() => (known = undefined));
    }
    return known.programs;
  };
};

/** Asked in the broker's own name: it is about the machine and no conversation. */
export const createProgramsUnavailable =
  (sandbox: GrpcClient<typeof SandboxServiceService>): ProgramsUnavailable =>
  async () => {
    const description = await sandbox.describeSandbox({}).catch(() => undefined);
    if (description === undefined || description.available) return undefined;
    return description.reason || 'The sandbox can run no program here.';
  };

/**
 * Before an effect is asked for there must be a connection. Without one the request is never sent, so it is certain that
 * nothing began. Once it may have been sent that is never certain: a connection that breaks says nothing about what the
 * other side had read, and gRPC reports both as UNAVAILABLE.
 */
const connected = (client: Parameters<typeof peerReady>[0]): Promise<void> =>
  peerReady(client).catch(() => {
    throw new Fault('unavailable', 'The sandbox cannot be reached, so nothing was begun.');
  });

const unbegun = async <T>(ask: () => Promise<T>): Promise<T> => {
  try {
    return await ask();
  } catch (error) {
    const { code, detail, meta, reference } = toFault(error);
    throw new NothingBegan(code, detail, { cause: error, meta, ...(reference === undefined ? {} : { reference }) });
  }
};

const runToEnd = async (
  sandbox: GrpcClient<typeof SandboxServiceService>,
  who: OnBehalfOf,
  execution: Execution,
): Promise<Executed> => {
  const events = sandbox.runExecution(
    {
      executionId: execution.executionId,
      conversationId: who.conversationId,
      language: execution.language,
      code: execution.code,
      files: execution.files.map(({ path, content }) => ({ path, content: Buffer.from(content), mode: 0 })),
      env: { ...execution.env },
      limits: { timeoutSeconds: execution.timeoutSeconds, memoryMb: execution.memoryMb, cpu: 0 },
    },
    { subject: subjectOf(who), timeoutMs: EXECUTION_TIMEOUT_MS },
  );
  const stdout: Uint8Array[] = [];
  const stderr: Uint8Array[] = [];
  let notices: readonly string[] = [];
  let bytes = 0;
  for await (const { event } of events) {
    if (event === undefined) continue;
    switch (event.$case) {
      case 'started':
        notices = event.started.notices;
        break;
      case 'stdout':
        stdout.push(event.stdout);
        bytes += event.stdout.length;
        break;
      case 'stderr':
        stderr.push(event.stderr);
        bytes += event.stderr.length;
        break;
      case 'finished': {
        const end = event.finished;
        const executed: Executed = {
          outcome: end.outcome,
          exitCode: end.exitCode,
          signal: end.signal,
          durationMs: end.durationMs,
          stdout: Buffer.concat(stdout),
          stderr: Buffer.concat(stderr),
          stdoutTruncated: end.stdoutTruncated,
          stderrTruncated: end.stderrTruncated,
          files: end.files,
          skipped: end.skipped.map((file) => file.reason),
          notices,
        };
        return executed;
      }
    }
    if (bytes > MAX_STREAM_BYTES) throw new Fault('outcome_unknown', 'The program printed more than the broker takes.');
  }
  throw new Fault('unavailable', 'The sandbox closed the stream before the program had ended.');
};

const subjectOf = (who: OnBehalfOf): Subject => ({
  userId: who.userId,
  workspaceId: who.workspaceId,
  role: who.role,
  permissions: who.permissions,
  agent: { conversationId: who.conversationId, podId: who.podId },
});

const factsOf = (facts: WireFacts | undefined): FileFacts => {
  if (facts === undefined) throw new Fault('unavailable', 'The sandbox said nothing about the file.');
  return facts;
};
