/** Wires sandbox-runner: adapters into use cases, use cases into handlers, health over HTTP. */
import { randomBytes } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import type { Handlers } from '@bravo/chassis';
import type { SandboxServiceService, WorkspaceServiceService } from '@bravo/proto/sandbox';
import { Admission } from './executions/admission.ts';
import { cancelExecutionHandler } from './executions/cancel-execution.grpc.ts';
import { describeSandboxHandler } from './executions/describe-sandbox.grpc.ts';
import { createExecutionLog, type Database } from './executions/executions.prisma.ts';
import { instanceOf } from './executions/oci/instance.ts';
import { OciSandbox } from './executions/oci/oci-sandbox.ts';
import { tellLoad } from './executions/tell-load.ts';
import { runExecutionHandler } from './executions/run-execution.grpc.ts';
import { createExecutions } from './executions/run-execution.ts';
import type { Language } from './executions/sandbox-backend.port.ts';
import { createJobs } from './jobs/jobs.ts';
import { listProgramsHandler } from './jobs/list-programs.grpc.ts';
import { openSessionHandler } from './jobs/open-session.grpc.ts';
import { readJobOutputHandler } from './jobs/read-job-output.grpc.ts';
import { runJobHandler } from './jobs/run-job.grpc.ts';
import { WorkspaceHolds } from './leases/hold-workspace.ts';
import { createLeaseStore } from './leases/leases.prisma.ts';
import { openDirectoryObjects } from './snapshots/local/directory-objects.ts';
import type { ObjectStore } from './snapshots/object-store.port.ts';
import { openS3Objects, type S3Settings } from './snapshots/s3/s3-objects.ts';
import { createSnapshots } from './snapshots/snapshots.ts';
import { eraseWorkspaceHandler } from './workspaces/erase-workspace.grpc.ts';
import { createEraseWorkspace } from './workspaces/erase-workspace.ts';
import { listFilesHandler } from './workspaces/list-files.grpc.ts';
import { createLocalToolboxes } from './workspaces/local/local-toolboxes.ts';
import { readFileHandler } from './workspaces/read-file.grpc.ts';
import { searchFilesHandler } from './workspaces/search-files.grpc.ts';
import { readGitHandler } from './workspaces/read-git.grpc.ts';
import { removeFileHandler } from './workspaces/remove-file.grpc.ts';
import { statFileHandler } from './workspaces/stat-file.grpc.ts';
import { ToolboxWorkspaces } from './workspaces/toolbox-workspaces.ts';
import { writeFileHandler } from './workspaces/write-file.grpc.ts';

export interface SandboxRunnerParts {
  readonly database: Database;
  readonly workspacesDirectory: string;
  /** `bucketUrl` is '' where the directory is the store. */
  readonly s3: S3Settings;
  readonly sandboxDirectory: string;
  readonly ociRuntime: string;
  readonly images: string;
  readonly nodeProgram: string;
  /** The toolbox as one file. */
  readonly toolboxProgram: string;
  /** Conversations whose files are open at the same time. */
  readonly toolboxes: number;
  readonly production: boolean;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
  readonly seccompProfile: string;
  readonly slots: number;
  readonly waitingPerWorkspace: number;
  readonly waiting: number;
  readonly spareCells: number;
  readonly warm: Readonly<Partial<Record<Language, number>>>;
  readonly onTrouble: (error: unknown) => void;
  readonly keepResultsDays: number;
}

export interface SandboxRunner {
  readonly sandbox: Handlers<typeof SandboxServiceService>;
  readonly workspaces: Handlers<typeof WorkspaceServiceService>;
  /** Executions an earlier process had begun and whose end nobody saw. */
  readonly abandoned: number;
  /** '' when programs can be run, else why not. Resolves once the machine was tried. */
  obstacle(): Promise<string>;
  /** Drops outputs older than they are kept. */
  forgetOldResults(): Promise<void>;
  close(): Promise<void>;
}

/** One store for all runners where a bucket is given; else a directory of this machine. */
const openObjects = ({ workspacesDirectory, s3 }: SandboxRunnerParts): Promise<ObjectStore> =>
  s3.bucketUrl === '' ? openDirectoryObjects(workspacesDirectory) : Promise.resolve(openS3Objects(s3));

const DAY_MS = 86_400_000;
const TOOLBOX_IDLE_MS = 180_000;

export const createSandboxRunner = async (parts: SandboxRunnerParts): Promise<SandboxRunner> => {
  await mkdir(parts.sandboxDirectory, { recursive: true, mode: 0o700 });
  const instance = instanceOf(await realpath(parts.sandboxDirectory));
  const runner = randomBytes(12).toString('hex');
  const log = createExecutionLog(parts.database, { instance: instance.id, runner });
  const backend = new OciSandbox({
    directory: parts.sandboxDirectory,
    runtime: parts.ociRuntime,
    images: parts.images,
    nodeProgram: parts.nodeProgram,
    seccompProfile: parts.seccompProfile,
    spare: parts.spareCells,
    warm: parts.warm,
    onTrouble: parts.onTrouble,
  });
  const toolboxes = createLocalToolboxes({
    instance,
    stateDirectory: parts.sandboxDirectory,
    ociRuntime: parts.ociRuntime,
    seccompProfile: parts.seccompProfile,
    node: parts.nodeProgram,
    program: parts.toolboxProgram,
    insecure: !parts.production,
    log: parts.log,
  });
  const workspaces = new ToolboxWorkspaces({
    toolboxes,
    snapshots: createSnapshots(await openObjects(parts)),
    holds: new WorkspaceHolds(createLeaseStore(parts.database, runner)),
    mostOpen: parts.toolboxes,
    idleMs: TOOLBOX_IDLE_MS,
    now: () => Date.now(),
    log: parts.log,
  });
  const admission = new Admission(
    { running: parts.slots, waitingPerWorkspace: parts.waitingPerWorkspace, waiting: parts.waiting },
    () => Date.now(),
  );
  tellLoad(admission, backend);
  const executions = createExecutions(backend, log, admission, () => Date.now());
  const jobs = createJobs({ backend, workspaces, log, admission, now: () => Date.now() });
  return {
    sandbox: {
      ...runExecutionHandler(executions),
      ...cancelExecutionHandler(executions, jobs),
      ...describeSandboxHandler(backend, toolboxes),
      ...listProgramsHandler(backend),
      ...runJobHandler(jobs),
      ...readJobOutputHandler(jobs),
      ...openSessionHandler(jobs),
    },
    workspaces: {
      ...readFileHandler(workspaces),
      ...listFilesHandler(workspaces),
      ...writeFileHandler(workspaces),
      ...statFileHandler(workspaces),
      ...removeFileHandler(workspaces),
      ...readGitHandler(workspaces),
      ...searchFilesHandler(workspaces),
      ...eraseWorkspaceHandler(createEraseWorkspace({ workspaces, executions, jobs, log })),
    },
    abandoned: await log.settleAbandoned(),
    obstacle: async () => (await backend.describe()).reason,
    forgetOldResults: () => log.eraseFinishedBefore(new Date(Date.now() - parts.keepResultsDays * DAY_MS)),
    close: async () => {
      await Promise.all([backend.close(), jobs.close()]);
      await workspaces.close();
    },
  };
};
