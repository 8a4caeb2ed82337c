/** Sandbox-runner as another process: a real gRPC server that keeps its contracts, with state a spec can turn. For specs only. */
import { createHash } from 'node:crypto';
import { type Handlers, type Principal } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import {
  type ReadGitRequest,
  type ReadGitResponse,
  type ReadJobOutputResponse,
  type RunExecutionRequest,
  type RunJobRequest,
  SandboxServiceService,
  WorkspaceServiceService,
} from '@bravo/proto/sandbox';
import { parsePath } from '@bravo/workspace-files';
import { type Peer, serve } from './serve-peer.fixture.ts';

export { type IdentityState, newIdentityState, startIdentityPeer } from './identity-peer.fixture.ts';
export type { Peer };

export interface SandboxState {
  /** `<conversation>/<path>` to content. */
  readonly files: Map<string, Buffer>;
  /** `<conversation>/<path>` to the path where the link there leads. */
  readonly links: Map<string, string>;
  /** Executions that really ran, by id. */
  readonly ran: Map<string, RunExecutionRequest>;
  readonly principals: Principal[];
  /** Plans that really ran, by id. */
  readonly jobs: Map<string, RunJobRequest>;
  /** What is to be read of one: ended well without a word, where nothing else is said. */
  readJob: (
    request: RunJobRequest,
  ) => Partial<Omit<ReadJobOutputResponse, 'stdout' | 'stderr'>> & { stdout?: string; stderr?: string };
  /** After a plan was taken and before it is said to have started. */
  whileRunning: (request: RunJobRequest) => Promise<void>;
  run: (request: RunExecutionRequest) => {
    stdout?: string;
    stderr?: string;
    exitCode?: number;
    outcome?: string;
    files?: { path: string; content: string }[];
  };
  delayMs: number;
  /** What is to be read of a repository. */
  readGit: (request: ReadGitRequest) => ReadGitResponse;
  /** What happens while a listing is made. */
  whileListing: () => Promise<void>;
  readonly writes: string[];
  /** A write is begun and does not come to its end. */
  failsWrites: boolean;
  failsErase: boolean;
  /** `<workspace>/<conversation>` of every workspace that was erased. */
  readonly erased: string[];
  readonly cancelled: string[];
}

export const newSandboxState = (): SandboxState => ({
  files: new Map(),
  links: new Map(),
  ran: new Map(),
  principals: [],
  run: () => ({ stdout: '42\n' }),
  jobs: new Map(),
  readJob: () => ({}),
  whileRunning: () => Promise.resolve(),
  delayMs: 0,
  readGit: () => ({ landing: '', sections: [], notes: [], next: 0, read: [] }),
  whileListing: () => Promise.resolve(),
  writes: [],
  failsWrites: false,
  failsErase: false,
  erased: [],
  cancelled: [],
});

const revisionOf = (content: Buffer | undefined): string =>
  content === undefined ? '' : createHash('sha256').update(content).digest('hex').slice(0, 16);

export const startSandboxPeer = async (state: SandboxState, keysFile: string, port = 0): Promise<Peer> => {
  const operations = new Map<string, ReturnType<typeof describe>>();
  const describe = (conversationId: string, path: string, created = false) => {
    const content = state.files.get(`${conversationId}/${path}`);
    return {
      facts: {
        landing: path,
        revision: revisionOf(content),
        exists: content !== undefined,
        size: content?.length ?? 0,
        kind: content === undefined ? 'missing' : 'file',
        caseFolding: false,
      },
      created,
    };
  };
  const inside = (path: string): string => parsePath(path).join('/');
  const workspaces: Handlers<typeof WorkspaceServiceService> = {
    statFile: async ({ conversationId, path }, { principal }) => {
      state.principals.push(principal);
      const place = inside(path);
      return { facts: describe(conversationId, state.links.get(`${conversationId}/${place}`) ?? place).facts };
    },
    readFile: async ({ conversationId, path, maxBytes, offset = 0 }) => {
      const content = state.files.get(`${conversationId}/${inside(path)}`);
      if (content === undefined) throw new Fault('not_found', 'There is no such file.');
      return {
        content: content.subarray(offset, offset + maxBytes),
        size: content.length,
        truncated: content.length > offset + maxBytes,
        facts: describe(conversationId, state.links.get(`${conversationId}/${inside(path)}`) ?? path).facts,
      };
    },
    searchFiles: async ({ conversationId, patterns, offset, directory }) => {
      const found = [...state.files].flatMap(([key, content]) =>
        key.startsWith(`${conversationId}/`)
          ? content
              .toString('utf8')
              .split('\n')
              .map((text, at) => ({ path: key.slice(conversationId.length + 1), line: at + 1, text }))
          : [],
      );
      const matches = found.filter(({ text }) => patterns.some((pattern) => text.includes(pattern)));
      return {
        matches: matches.slice(offset),
        nextOffset: 0,
        matchesSeen: matches.length,
        filesSearched: state.files.size,
        filesSkipped: 0,
        partial: [],
        landing: directory,
      };
    },
    listFiles: async ({ conversationId, directory, maxEntries, after = '', withRevisions = false }) => {
      await state.whileListing();
      const entries = [...state.files]
        .filter(([key]) => key.startsWith(`${conversationId}/`))
        .map(([key, content]) => ({
          ...{ path: key.slice(conversationId.length + 1), kind: 'file', size: content.length },
          landing: '',
          ...(withRevisions ? { revision: revisionOf(content) } : {}),
        }));
      const links = [...state.links]
        .filter(([key]) => key.startsWith(`${conversationId}/`))
        .map(([key, landing]) => ({ path: key.slice(conversationId.length + 1), kind: 'link', size: 0, landing }));
      const below = directory === '' ? '' : `${directory}/`;
      const all = [...entries, ...links].filter(({ path }) => path > after && path.startsWith(below));
      const page = maxEntries > 0 ? all.slice(0, maxEntries) : all;
      return { entries: page, truncated: page.length < all.length, landing: directory };
    },
    writeFile: async ({ conversationId, path, content, expectedRevision, expectedLanding, operationId }) => {
      const before = operations.get(operationId);
      if (before !== undefined) return before;
      const key = `${conversationId}/${inside(path)}`;
      if (expectedLanding !== (state.links.get(key) ?? path))
        throw new Fault('version_conflict', 'The path leads elsewhere by now.');
      const old = state.files.get(key);
      if (expectedRevision !== '' && expectedRevision !== (old === undefined ? 'absent' : revisionOf(old)))
        throw new Fault('version_conflict', 'The file changed in the meantime.');
      if (state.failsWrites) throw new Fault('resource_exhausted', 'The workspace is full.');
      state.files.set(key, Buffer.from(content));
      state.writes.push(key);
      const answer = describe(conversationId, path, old === undefined);
      operations.set(operationId, answer);
      return answer;
    },
    readGit: async (request) => state.readGit(request),
    removeFile: async ({ conversationId, path, expectedRevision }) => {
      const key = `${conversationId}/${inside(path)}`;
      if (state.links.delete(key)) return { kind: 'link', revision: '' };
      const old = state.files.get(key);
      if (old === undefined) throw new Fault('not_found', 'There is no such file.');
      if (expectedRevision !== '' && expectedRevision !== revisionOf(old))
        throw new Fault('version_conflict', 'The file changed in the meantime.');
      state.files.delete(key);
      return { kind: 'file', revision: revisionOf(old) };
    },
    eraseWorkspace: async ({ conversationId }, { principal }) => {
      if (state.failsErase) throw new Fault('unavailable', 'The sandbox is away.');
      state.erased.push(`${principal.workspaceId}/${conversationId}`);
      return {};
    },
  };
  // What the broker asks of it; the rest of the service is the runner's own specs'.
  const sandbox: Handlers<typeof SandboxServiceService> = {
    runExecution: async function* (request, { principal }) {
      state.principals.push(principal);
      const replayed = state.ran.has(request.executionId);
      state.ran.set(request.executionId, request);
      yield { event: { $case: 'started', started: { limits: undefined, notices: [], replayed } } };
      if (state.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, state.delayMs));
      const { stdout = '', stderr = '', exitCode = 0, outcome = 'ok', files = [] } = state.run(request);
      if (stdout !== '') yield { event: { $case: 'stdout', stdout: Buffer.from(stdout) } };
      if (stderr !== '') yield { event: { $case: 'stderr', stderr: Buffer.from(stderr) } };
      const finished = {
        ...{ outcome, exitCode, signal: '', oomKilled: false, timedOut: false, durationMs: 12 },
        files: files.map(({ path, content }) => ({ path, content: Buffer.from(content), mode: 0o644 })),
        ...{ skipped: [], stdoutTruncated: false, stderrTruncated: false },
      };
      yield { event: { $case: 'finished', finished } };
    },
    cancelExecution: async ({ executionId }) => {
      state.cancelled.push(executionId);
      return { cancelled: true };
    },
    listPrograms: async () => ({
      programs: ['wc', 'grep', 'head', 'cat', 'sort', 'printf', 'python3'].map((name) => ({
        name,
        path: `/usr/bin/${name}`,
      })),
    }),
    runJob: async (request, { principal }) => {
      state.principals.push(principal);
      if (!state.jobs.has(request.jobId)) state.jobs.set(request.jobId, request);
      await state.whileRunning(request);
      return { limits: undefined, notices: [] };
    },
    readJobOutput: async ({ jobId, conversationId, stdoutFrom, stderrFrom }) => {
      const request = state.jobs.get(jobId);
      if (request?.conversationId !== conversationId) throw new Fault('not_found', 'There is no such job.');
      const {
        stdout = '',
        stderr = '',
        ...rest
      } = state.cancelled.includes(jobId) ? { ended: true, outcome: 'cancelled' } : state.readJob(request);
      const from = (text: string, place: number) => Buffer.from(text).subarray(place);
      return {
        ...{ ended: true, outcome: 'ok', changed: [], changesLost: false, durationMs: 12 },
        ...{ stdoutTruncated: false, stderrTruncated: false, stdoutAt: stdoutFrom, stderrAt: stderrFrom },
        steps: (request.plan?.steps ?? []).map(() => ({ ran: true, exitCode: 0, signal: '', failure: '' })),
        ...rest,
        ...{ stdout: from(stdout, stdoutFrom), stderr: from(stderr, stderrFrom) },
      };
    },
    openSession: async function* () {
      yield* [];
      throw new Fault('sandbox_unavailable', 'Nothing here opens sessions.');
    },
    describeSandbox: async () => ({
      available: true,
      reason: '',
      backend: 'spec',
      languages: ['python'],
      filesIsolation: 'contained',
      filesReason: '',
    }),
  };
  return serve('sandbox', keysFile, port, (server) => {
    const files = ['broker'] as const;
    server.addService(WorkspaceServiceService, workspaces, {
      readFile: files,
      listFiles: files,
      writeFile: files,
      statFile: files,
      removeFile: files,
      readGit: files,
      searchFiles: files,
      eraseWorkspace: ['broker'],
    });
    server.addService(SandboxServiceService, sandbox, {
      runExecution: files,
      cancelExecution: files,
      describeSandbox: files,
      listPrograms: files,
      runJob: files,
      readJobOutput: files,
      openSession: files,
    });
  });
};
