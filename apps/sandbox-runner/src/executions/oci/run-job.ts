/** Carries one plan out in a container of its own over a conversation's files; beside them it sees what it was given and nothing else of the host. */
import {
  chmodSync,
  closeSync,
  constants,
  lchownSync,
  openSync,
  readSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@bravo/faults';
import { z } from 'zod';
import {
  STEP_FAILURES,
  type JobEnd,
  type JobInput,
  type JobProgram,
  type JobWatch,
  type StepEnd,
} from '../../jobs/job-backend.port.ts';
import { bundleConfig } from './bundle-config.ts';
import type { Cell } from './cell.ts';
import type { CellSupply } from './cell-supply.ts';
import { environment } from './command-line.ts';
import type { PreparedSandbox } from './prepare-sandbox.ts';
import { refuseFailedStart } from './refuse-failed-start.ts';
import { runToEnd } from './run-to-end.ts';

export interface JobStage {
  readonly prepared: PreparedSandbox;
  readonly cells: CellSupply;
}

/** Where everything of the job but its files lies inside. */
const PLACE = '/run';
const REPORT_BYTES = 64 * 1024;
const LOOK_MS = 10;
/** Has the everyday programs, and the interpreter that carries plans out. */
const ROOT = 'python';

type Asked = Omit<JobProgram, 'plan' | 'files'> & {
  /** Null asks for the list of programs. */
  readonly plan: JobProgram['plan'] | null;
  readonly files: JobProgram['files'] | undefined;
};

const rootOf = ({ prepared }: JobStage, place: JobProgram['place']) => {
  if (place === 'language_servers') {
    if (prepared.languageServers !== undefined) return prepared.languageServers;
    throw new Fault(
      'sandbox_unavailable',
      'There is no image with language servers on this machine. The operator can build it: ./bravo images build',
    );
  }
  const root = prepared.roots.get(ROOT);
  if (root !== undefined) return root;
  throw new Fault('sandbox_unavailable', prepared.missing.get(ROOT) ?? 'There is no python3 in the sandbox.');
};

/** The mode decides whom a file is for: the program may read what it is given and write its report alone. */
const place = (cell: Cell, name: string, content: string | Uint8Array, mode: number, owner: number): void => {
  const path = join(cell.paths.inside, name);
  writeFileSync(path, content, { flag: 'wx' });
  chmodSync(path, mode);
  lchownSync(path, owner, owner);
};

const furnish = (stage: JobStage, cell: Cell, { plan, directory, stdin, limits, files, place: where }: Asked): void => {
  const root = rootOf(stage, where);
  const user = files?.uid ?? cell.owner;
  // A range nobody inside is mapped to, so that no entry can be added here.
  lchownSync(cell.paths.inside, cell.firstHostId, cell.firstHostId);
  chmodSync(cell.paths.inside, 0o755);
  place(cell, 'run_plan.py', stage.prepared.planProgram, 0o444, cell.firstHostId);
  place(cell, 'plan.json', JSON.stringify(plan === null ? null : { ...plan, directory }), 0o444, cell.firstHostId);
  place(cell, 'report', '', 0o600, user);
  if (stdin === 'live') {
    renameSync(cell.paths.script, join(cell.paths.inside, 'stdin'));
    lchownSync(join(cell.paths.inside, 'stdin'), user, user);
  } else {
    unlinkSync(cell.paths.script);
    if (stdin.length > 0) place(cell, 'stdin', stdin, 0o444, cell.firstHostId);
  }
  cell.writeBundle(
    bundleConfig({
      root: root.root,
      binds: root.binds,
      workspace: files?.directory ?? cell.paths.inside,
      job: { place: cell.paths.inside, destination: PLACE, ...(files === undefined ? {} : { uid: files.uid }) },
      firstHostId: cell.firstHostId,
      args: [root.interpreter, '-I', '-S', `${PLACE}/run_plan.py`],
      env: environment({ env: {} }),
      limits,
      workspaceReadOnly: where === 'language_servers',
      seccomp: stage.prepared.seccomp,
      ...(cell.leaf.cgroupsPath === undefined ? {} : { cgroupsPath: cell.leaf.cgroupsPath }),
    }),
  );
};

/** Both ends, so that neither side ever waits for the other to open it. */
const openInput = (cell: Cell): JobInput & { close(): void } => {
  const fd = openSync(join(cell.paths.inside, 'stdin'), constants.O_RDWR | constants.O_NONBLOCK);
  const pipe = new Socket({ fd, readable: false, writable: true });
  pipe.on('error', () => undefined);
  let ending = false;
  let closed = false;
  const close = (): void => {
    closed = true;
    pipe.destroy();
  };
  return {
    write: (bytes) =>
      new Promise((resolve) => {
        if (ending || closed) return resolve(false);
        pipe.once('close', () => resolve(false));
        pipe.write(bytes, (error) => resolve(error === undefined || error === null));
      }),
    end: () => {
      if (ending) return;
      ending = true;
      void (async () => {
        // Closed earlier, the pipe would lose what is in it before anybody has opened it.
        while (!closed && !hasStarted(cell)) await delay(LOOK_MS);
        if (!closed) pipe.end(close);
      })();
    },
    close,
  };
};

const reportLine = z.union([
  z.strictObject({ started: z.literal(true) }),
  z.strictObject({
    step: z.int().min(0).max(1_000),
    exit: z.int().min(0).max(255),
    signal: z
      .string()
      .regex(/^(SIG[A-Z0-9+-]{1,12})?$/)
      .optional(),
    failure: z.enum(STEP_FAILURES).optional(),
  }),
]);

/** What the programs of a job could have written as well: each line is bounded and checked, and one that is none is left out. */
const readReport = (cell: Cell): z.infer<typeof reportLine>[] => {
  const buffer = Buffer.alloc(REPORT_BYTES);
  let length: number;
  const fd = openSync(join(cell.paths.view, 'report'), constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    length = readSync(fd, buffer, 0, buffer.length, 0);
  } finally {
    closeSync(fd);
  }
  return buffer
    .toString('utf8', 0, length)
    .split('\n')
    .flatMap((line) => {
      try {
        const read = reportLine.safeParse(JSON.parse(line));
        return read.success ? [read.data] : [];
      } catch {
        return [];
      }
    });
};

const hasStarted = (cell: Cell): boolean => {
  try {
    return readReport(cell).length > 0;
  } catch {
    return false;
  }
};

const stepsOf = (cell: Cell, count: number): StepEnd[] => {
  const steps: StepEnd[] = Array.from({ length: count }, () => ({ ran: false, exitCode: 0, signal: '', failure: '' }));
  for (const line of readReport(cell)) {
    if (!('step' in line) || line.step >= count) continue;
    steps[line.step] = {
      ran: true,
      exitCode: line.exit,
      signal: line.signal ?? '',
      failure: line.failure ?? '',
    };
  }
  return steps;
};

const carryOut = async (stage: JobStage, asked: Asked, watch: JobWatch): Promise<JobEnd> => {
  const cell = await stage.cells.takeSeeing(asked.limits);
  let input: ReturnType<typeof openInput> | undefined;
  let started = false;
  let over = false;
  const start = (): void => {
    if (started) return;
    started = true;
    watch.onStarted();
  };
  const lookForStart = async (): Promise<void> => {
    while (!over && !started) {
      if (hasStarted(cell)) start();
      else await delay(LOOK_MS);
    }
  };
  try {
    furnish(stage, cell, asked);
    if (asked.stdin === 'live') {
      input = openInput(cell);
      watch.onInput?.(input);
    }
    const end = await runToEnd(
      {
        runtime: cell.runtime,
        leaf: cell.leaf,
        timeoutSeconds: asked.limits.timeoutSeconds,
        outputLimit: asked.outputBytes,
        release: () => {
          cell.runtime.begin();
          if (asked.plan !== null) void lookForStart();
          return Promise.resolve();
        },
      },
      { signal: watch.signal, onOutput: (stream, chunk) => watch.onOutput(stream, chunk), onStarted: () => undefined },
    );
    over = true;
    await refuseFailedStart(end, cell.paths.log);
    if (asked.plan === null) return { ...end, steps: [] };
    // It ends with 0 whatever its steps do, so anything else of its own accord is a mistake of ours.
    if (end.outcome === 'ok' && end.exitCode !== 0) throw new Error(`the plan was not carried out: ${end.exitCode}`);
    start();
    return { ...end, steps: stepsOf(cell, asked.plan.steps.length) };
  } finally {
    over = true;
    input?.close();
    stage.cells.dispose(cell);
  }
};

export const runJob = (stage: JobStage, job: JobProgram, watch: JobWatch): Promise<JobEnd> =>
  carryOut(stage, job, watch);

const programTable = z.record(z.string().max(255), z.string().startsWith('/').max(4096));

/** As a step would find them: asked from inside. */
export const listPrograms = async (stage: JobStage): Promise<ReadonlyMap<string, string>> => {
  const said: Uint8Array[] = [];
  const limits = { timeoutSeconds: 30, memoryMb: 128, cpu: 1 };
  const asked: Asked = {
    plan: null,
    directory: '',
    place: 'everyday',
    stdin: new Uint8Array(),
    limits,
    files: undefined,
    outputBytes: 1024 * 1024,
  };
  const end = await carryOut(stage, asked, {
    signal: new AbortController().signal,
    onStarted: () => undefined,
    onOutput: (stream, chunk) => {
      if (stream === 'stdout') said.push(chunk);
    },
  });
  if (end.outcome !== 'ok')
    throw new Fault('sandbox_unavailable', `The programs of the sandbox cannot be listed: ${end.outcome}.`);
  return new Map(Object.entries(programTable.parse(JSON.parse(Buffer.concat(said).toString('utf8')))));
};
