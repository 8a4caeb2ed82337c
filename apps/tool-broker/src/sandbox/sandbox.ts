/** What the broker asks of sandbox-runner: files of one conversation and programs that run with nothing but what is named. It keeps no file itself. */
import { Fault } from '@bravo/faults';
import type { BoundAgent } from '../access/agent.ts';

/** For whom a call is made: the person of a conversation, through the agent. */
export type OnBehalfOf = Pick<
  BoundAgent,
  'userId' | 'workspaceId' | 'conversationId' | 'podId' | 'role' | 'permissions'
>;

export interface FileFacts {
  /** Where the path leads after every link, workspace-relative. */
  readonly landing: string;
  /** Changes with every write; empty where nothing is. */
  readonly revision: string;
  readonly exists: boolean;
  readonly size: number;
  readonly kind: string;
}

export interface FileEntry {
  readonly path: string;
  readonly kind: string;
  readonly size: number;
  /** Of a link: where it leads; '' where that is nowhere in the workspace. '' of anything else. */
  readonly landing: string;
  /** Of a file, where it was asked for. */
  readonly revision?: string | undefined;
}

export interface SearchMatch {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface Found {
  readonly matches: readonly SearchMatch[];
  /** Where to go on; 0 when nothing was left out for want of room. */
  readonly nextOffset: number;
  /** Also those passed over; all of them unless the answer is partial. */
  readonly matchesSeen: number;
  /** Where the directory is after every link. */
  readonly landing: string;
  readonly filesSearched: number;
  readonly filesSkipped: number;
  /** matches, time, files. */
  readonly partial: readonly string[];
}

export interface GitQuery {
  readonly query: string;
  /** '' for the root. */
  readonly repository: string;
  readonly revision: string;
  readonly path: string;
  readonly pattern: string;
  /** 0: as is usual. */
  readonly count: number;
  readonly skip: number;
  readonly messages: boolean;
  readonly since: string;
  readonly until: string;
}

export interface GitAnswer {
  readonly landing: string;
  /** `paths`: files it shows, from the root of the repository; none for what the history itself says. */
  readonly sections: readonly { readonly paths: readonly string[]; readonly text: string }[];
  /** Sentences of ours. */
  readonly notes: readonly string[];
  /** 0 where there are no more. */
  readonly next: number;
  /** Files a search read, whether or not anything in them matched. */
  readonly read: readonly string[];
}

export interface Execution {
  readonly executionId: string;
  readonly language: string;
  readonly code: string;
  readonly files: readonly { readonly path: string; readonly content: Uint8Array }[];
  readonly env: Readonly<Record<string, string>>;
  /** 0: the sandbox's default. */
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
}

export interface Executed {
  /** ok, timed_out, cancelled, oom_killed, output_limit or outcome_unknown. */
  readonly outcome: string;
  readonly exitCode: number;
  readonly signal: string;
  readonly durationMs: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly stdoutTruncated: boolean;
  readonly stderrTruncated: boolean;
  readonly files: readonly { readonly path: string; readonly content: Uint8Array }[];
  /** Reasons only; names of files are content. */
  readonly skipped: readonly string[];
  readonly notices: readonly string[];
}

/** A compiled plan as the sandbox carries it out. */
export interface SandboxPlan {
  readonly steps: readonly {
    readonly argv: readonly string[];
    readonly program: string;
    readonly env: Readonly<Record<string, string>>;
    readonly redirects: readonly { readonly op: string; readonly path: string }[];
  }[];
  readonly connectors: readonly string[];
}

export interface Job {
  readonly jobId: string;
  readonly plan: SandboxPlan;
  /** '' for the root. */
  readonly directory: string;
  readonly stdin: Uint8Array;
  /** 0: as long as is usual. */
  readonly timeoutSeconds: number;
  readonly background: boolean;
}

export interface StepEnd {
  readonly ran: boolean;
  readonly exitCode: number;
  readonly signal: string;
  /** not_found, not_a_program, redirect or directory; '' when it was started. */
  readonly failure: string;
}

export interface JobReading {
  readonly ended: boolean;
  /** As of `Executed`; '' while it runs. */
  readonly outcome: string;
  readonly steps: readonly StepEnd[];
  readonly stdout: Uint8Array;
  /** Where it begins: past the asked place where earlier bytes are gone. */
  readonly stdoutAt: number;
  readonly stderr: Uint8Array;
  readonly stderrAt: number;
  readonly stdoutTruncated: boolean;
  readonly stderrTruncated: boolean;
  readonly durationMs: number;
  /** Names of files are content. */
  readonly changed: readonly string[];
  readonly changesLost: boolean;
}

export interface JobLook {
  readonly jobId: string;
  readonly stdoutFrom: number;
  readonly stderrFrom: number;
  readonly waitSeconds: number;
  readonly untilEnd: boolean;
}

/** Thrown only where it is certain that no effect began: a read failed, or there was no connection to ask for one over. */
export class NothingBegan extends Fault {}

/** Why no program can be run on this machine; undefined where one can, and where the sandbox says nothing just now. */
export type ProgramsUnavailable = () => Promise<string | undefined>;

/** Every method throws a Fault; unless it is a NothingBegan, `unavailable` and `deadline_exceeded` say nothing about whether an effect happened. */
export interface Sandbox {
  stat(who: OnBehalfOf, path: string): Promise<FileFacts>;
  read(
    who: OnBehalfOf,
    path: string,
    maxBytes: number,
    /** First byte; 0 where it is left out. */
    offset?: number,
  ): Promise<{ content: Uint8Array; size: number; truncated: boolean; facts: FileFacts }>;
  list(
    who: OnBehalfOf,
    directory: string,
    depth: number,
    maxEntries: number,
    /** `after`: only what stands behind that path in the order of the answer. */
    options?: { readonly after: string; readonly withRevisions: boolean },
  ): Promise<{ entries: readonly FileEntry[]; truncated: boolean; landing: string }>;
  /** Throws `invalid_argument` for a pattern that is refused. */
  search(
    who: OnBehalfOf,
    asked: {
      readonly patterns: readonly string[];
      readonly ignoreCase: boolean;
      readonly directory: string;
      readonly include: string;
      readonly offset: number;
    },
  ): Promise<Found>;
  /** `path` is where it lands: `version_conflict` when a link leads elsewhere by now. The same operation id answers with the first result. `expectedRevision` "absent" for a file that must not exist. */
  write(
    who: OnBehalfOf,
    path: string,
    content: Uint8Array,
    expectedRevision: string,
    operationId: string,
  ): Promise<{ created: boolean; facts: FileFacts }>;
  /** Reads a repository among the files without git. `path` is from its root. Throws `conflict` for one that is not read here, with the reason. */
  readGit(who: OnBehalfOf, query: GitQuery): Promise<GitAnswer>;
  /** Takes one name away: a file, a link or an empty directory. `version_conflict` where a file is not of that revision any more; '' for whatever is there. */
  remove(who: OnBehalfOf, path: string, expectedRevision: string): Promise<{ kind: string; revision: string }>;
  /** Ends the conversation's programs and erases its files, outputs and results. Idempotent. */
  erase(conversation: { readonly conversationId: string; readonly workspaceId: string }): Promise<void>;
  /** Names a step of a line may use, with the file each stands for. May be a minute old. */
  programs(): Promise<ReadonlyMap<string, string>>;
  /** Starts a plan over the conversation's files; the same id never runs twice. Resolves with sentences about clamped limits once it has started. */
  runJob(who: OnBehalfOf, job: Job): Promise<readonly string[]>;
  readJob(
    who: Pick<OnBehalfOf, 'userId' | 'workspaceId' | 'conversationId'>,
    look: JobLook,
    signal?: AbortSignal,
  ): Promise<JobReading>;
  cancelJob(who: Pick<OnBehalfOf, 'userId' | 'workspaceId' | 'conversationId'>, jobId: string): Promise<void>;
  /** The same execution id never runs twice; asked again it gives the same result. An abort ends the program, whose result then says so. */
  execute(who: OnBehalfOf, execution: Execution, signal: AbortSignal): Promise<Executed>;
}
