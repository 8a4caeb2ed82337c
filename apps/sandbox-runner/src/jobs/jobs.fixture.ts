/** Plans as a broker sends them to a real runner behind its gRPC server. For specs only. */
import { existsSync } from 'node:fs';
import type { Subject } from '@bravo/chassis';
import type { PlanRedirect, PlanStep, ReadJobOutputResponse, RunJobRequest } from '@bravo/proto/sandbox';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { instanceOf } from '../executions/oci/instance.ts';
import { tracesOf } from '../executions/oci/traces.fixture.ts';
import { serveRunner, type ServedRunner } from '../served-runner.fixture.ts';

export const subject: Subject = { userId: 'usr_alice', workspaceId: 'ws_acme' };
export const stranger: Subject = { userId: 'usr_carol', workspaceId: 'ws_globex' };
export let runner: ServedRunner;
export let programs: ReadonlyMap<string, string>;
let count = 0;

/** Serves one runner for the calling file; nothing of it may be on the machine afterwards. */
export const useRunner = (): void => {
  beforeAll(async () => {
    runner = await serveRunner();
    const listed = await runner.sandbox('broker').listPrograms({}, { subject, timeoutMs: 60_000 });
    programs = new Map(listed.programs.map(({ name, path }) => [name, path]));
  }, 90_000);
  afterAll(async () => {
    const { sandboxDirectory } = runner;
    await runner.stop();
    const left = await tracesOf(sandboxDirectory);
    expect(left).toEqual({ mounts: 0, runs: 0, containers: 0, groups: 0, processes: 0 });
    expect(existsSync(`/run/bravo-toolboxes-${instanceOf(sandboxDirectory).id}`)).toBe(false);
  }, 60_000);
};

export const newId = (kind: string): string => `${kind}_${(count += 1)}`;

export const conversation = (): string => `cnv_jobs_${(count += 1)}`;

export const step = (line: string, more: Partial<PlanStep> = {}): PlanStep => {
  const argv = line.split(' ');
  return { argv, program: programs.get(argv[0] ?? '') ?? `/usr/bin/${argv[0]}`, env: {}, redirects: [], ...more };
};
export const redirect = (op: string, path = ''): PlanRedirect => ({ op, path });

/** `steps` and connectors in turn. */
export const job = (sequence: readonly (PlanStep | string)[], more: Partial<RunJobRequest> = {}): RunJobRequest => ({
  jobId: `job_${(count += 1)}`,
  conversationId: conversation(),
  plan: {
    steps: sequence.filter((each): each is PlanStep => typeof each !== 'string'),
    connectors: sequence.filter((each): each is string => typeof each === 'string'),
  },
  directory: '',
  stdin: Buffer.alloc(0),
  background: false,
  ...more,
});

export const look = (
  { jobId, conversationId }: RunJobRequest,
  more: Partial<{ stdoutFrom: number; stderrFrom: number; waitSeconds: number; untilEnd: boolean }> = {},
): Promise<ReadJobOutputResponse> =>
  runner
    .sandbox('broker')
    .readJobOutput(
      { jobId, conversationId, stdoutFrom: 0, stderrFrom: 0, waitSeconds: 60, untilEnd: true, ...more },
      { subject, timeoutMs: 90_000 },
    );

export const start = (request: RunJobRequest) =>
  runner.sandbox('broker').runJob(request, { subject, timeoutMs: 60_000 });

export const run = async (request: RunJobRequest): Promise<ReadJobOutputResponse> => {
  await start(request);
  return look(request);
};

export const write = (conversationId: string, path: string, text: string) =>
  runner
    .files('broker')
    .writeFile(
      { conversationId, path, content: Buffer.from(text), expectedRevision: '', expectedLanding: '', operationId: '' },
      { subject },
    );
export const read = async (conversationId: string, path: string): Promise<string> =>
  String((await runner.files('broker').readFile({ conversationId, path, maxBytes: 100_000 }, { subject })).content);

export const exits = ({ steps }: ReadJobOutputResponse): (number | undefined)[] =>
  steps.map(({ ran, exitCode }) => (ran ? exitCode : undefined));
