/** A whole sandbox-runner behind its gRPC server, with real Postgres, keys and clients, for one spec. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createGrpcClient,
  createGrpcServer,
  createLogger,
  createPrincipalSigner,
  createPrincipalVerifier,
  type GrpcClient,
  type ServiceName,
} from '@bravo/chassis';
import {
  SandboxServiceService,
  WorkspaceServiceService,
  type Finished,
  type RunExecutionRequest,
  type RunExecutionResponse,
  type Started,
} from '@bravo/proto/sandbox';
import { startTestPostgres } from '@bravo/testing';
import { exportJWK, generateKeyPair } from 'jose';
import { SANDBOX_ACCESS, WORKSPACE_ACCESS } from './access/access.grpc.ts';
import { createDatabase, type Database } from './executions/executions.prisma.ts';
import { settingsHere } from './executions/oci/settings-here.fixture.ts';
import { createSandboxRunner } from './sandbox-runner.module.ts';
import { bundleToolbox } from './workspaces/bundle-toolbox.fixture.ts';

const CALLERS = ['broker', 'operator', 'gateway'] as const satisfies ServiceName[];
type Caller = (typeof CALLERS)[number];

export interface ServedRunner {
  readonly database: Database;
  readonly sandboxDirectory: string;
  /** Why programs cannot be run here, or ''. */
  readonly obstacle: string;
  sandbox(caller: Caller): GrpcClient<typeof SandboxServiceService>;
  files(caller: Caller): GrpcClient<typeof WorkspaceServiceService>;
  stop(): Promise<void>;
}

/** Writes a private key per caller and their public ones together; resolves with the path of a file by its name. */
const writeKeys = async (directory: string): Promise<(name: string) => string> => {
  const path = (name: string) => join(directory, `${name}.json`);
  const keys = await Promise.all(
    CALLERS.map(async (name) => {
      const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
      writeFileSync(path(name), JSON.stringify(await exportJWK(privateKey)));
      return { ...(await exportJWK(publicKey)), kid: name, alg: 'ES256' };
    }),
  );
  writeFileSync(path('jwks'), JSON.stringify({ keys }));
  return path;
};

export const serveRunner = async (): Promise<ServedRunner> => {
  const directory = mkdtempSync(join(tmpdir(), 'bravo-runner-'));
  const key = await writeKeys(directory);
  const postgres = await startTestPostgres({ app: 'sandbox-runner', schema: 'sandbox' });
  const database = createDatabase(postgres.url('sandbox'));
  const toolbox = await bundleToolbox();
  const runner = await createSandboxRunner({
    database,
    toolboxProgram: toolbox.program,
    toolboxes: 4,
    s3: { bucketUrl: '', region: '', accessKeyId: '', secretAccessKey: '' },
    production: false,
    log: () => undefined,
    workspacesDirectory: join(directory, 'workspaces'),
    sandboxDirectory: join(directory, 'sandbox'),
    ociRuntime: 'crun',
    images: settingsHere('').images,
    nodeProgram: process.execPath,
    seccompProfile: settingsHere('').seccompProfile,
    slots: 4,
    waitingPerWorkspace: 32,
    waiting: 64,
    spareCells: 1,
    warm: { bash: 1, python: 1 },
    onTrouble: (error) => process.stderr.write(`${String(error)}\n`),
    keepResultsDays: 1,
  });
  const verifier = createPrincipalVerifier('sandbox', key('jwks'));
  const server = createGrpcServer({ service: 'sandbox', verifier, logger: createLogger('test', 'silent') });
  server.addService(SandboxServiceService, runner.sandbox, SANDBOX_ACCESS);
  server.addService(WorkspaceServiceService, runner.workspaces, WORKSPACE_ACCESS);
  const address = `127.0.0.1:${await server.listen('127.0.0.1', 0)}`;
  const clients = new Map<
    Caller,
    { sandbox: GrpcClient<typeof SandboxServiceService>; files: GrpcClient<typeof WorkspaceServiceService> }
  >();
  for (const caller of CALLERS) {
    const options = { address, audience: 'sandbox', signer: await createPrincipalSigner(caller, key(caller)) } as const;
    clients.set(caller, {
      sandbox: createGrpcClient(SandboxServiceService, options),
      files: createGrpcClient(WorkspaceServiceService, options),
    });
  }
  const clientOf = (caller: Caller) => {
    const found = clients.get(caller);
    if (found === undefined) throw new Error(`no client of ${caller}`);
    return found;
  };
  return {
    database,
    sandboxDirectory: realpathSync(join(directory, 'sandbox')),
    obstacle: await runner.obstacle(),
    sandbox: (caller) => clientOf(caller).sandbox,
    files: (caller) => clientOf(caller).files,
    stop: async () => {
      for (const { sandbox, files } of clients.values()) {
        sandbox.close();
        files.close();
      }
      await runner.close();
      toolbox.remove();
      await server.drain(500);
      await database.$disconnect();
      await postgres.stop();
      rmSync(directory, { recursive: true });
    },
  };
};

let counter = 0;
export const ask = (more: Partial<RunExecutionRequest> = {}): RunExecutionRequest => {
  counter += 1;
  return {
    executionId: `exec_${counter}`,
    conversationId: 'cnv_1',
    language: 'bash',
    code: 'echo hello',
    files: [],
    env: {},
    ...more,
  };
};

/** Throws unless the stream was one "started", output, and one "finished" at its end. */
export const collect = async (
  events: AsyncIterable<RunExecutionResponse>,
): Promise<{ started: Started; finished: Finished; stdout: string; stderr: string }> => {
  const output: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
  let started: Started | undefined;
  let finished: Finished | undefined;
  for await (const { event } of events) {
    if (event === undefined || finished !== undefined) throw new Error('a message after the end, or an empty one');
    if ((event.$case === 'started') !== (started === undefined)) throw new Error('"started" is not first and once');
    if (event.$case === 'started') started = event.started;
    else if (event.$case === 'finished') finished = event.finished;
    else if (event.$case === 'stdout') output.stdout.push(event.stdout);
    else output.stderr.push(event.stderr);
  }
  if (started === undefined || finished === undefined) throw new Error('the stream has no end');
  const text = (stream: 'stdout' | 'stderr') => Buffer.concat(output[stream]).toString('utf8');
  return { started, finished, stdout: text('stdout'), stderr: text('stderr') };
};
