/** What executing a tool takes and gives. An executor sees the bound call only: what was decided and approved is what happens. */
import type { CanonicalCall, InputFact, Integrity, JsonObject, PathTrust, ResultLabelRule } from '@bravo/policy';
import type { Definitions } from '../definitions/definition.ts';
import type { Answers } from '../answers/answer.ts';
import type { IsolatedModels } from '../processors/isolated-models.ts';
import type { Slot } from '../slots/slot.ts';
import type { Languages } from '../language-servers/languages.ts';
import type { FetchHop } from '../pages/fetch-hop.ts';
import type { HopVerdict } from '../rules/judge-hop.ts';
import type { OpenDelegates } from '../delegates/delegates.ts';
import type { Jobs } from '../jobs/job.ts';
import type { ScheduleStore } from '../schedules/schedule.ts';
import type { OnBehalfOf, Sandbox, StepEnd } from '../sandbox/sandbox.ts';

/** Everything needed to carry an effect out, or to learn its outcome in another process after a crash. */
export interface BoundEffect {
  readonly toolCallId: string;
  readonly approvalId: string | undefined;
  readonly who: OnBehalfOf;
  readonly call: CanonicalCall;
  readonly digest: string;
  readonly resultLabel: ResultLabelRule;
  readonly trustOutput: boolean;
  readonly trustOutputOffered: boolean;
  readonly inputs: readonly InputFact[];
  /** Of what the effect carries: decides the mark a written path is left with. */
  readonly contentIntegrity: Integrity;
  /** Set by whoever takes the effect over from a dead process. */
  readonly recovered: boolean;
}

/** `picture` and `pdf` are told by a file's extension and never by its bytes; they and `answer` stay quarantined whatever their label. */
export type OutputKind = 'text' | 'binary' | 'file name' | 'directory name' | 'picture' | 'pdf' | 'answer' | 'remark';

/** One thing that came back, still unlabelled. */
export interface EffectOutput {
  /** The broker's own words. */
  readonly origin: string;
  /** What the content calls itself; for the person, and for the planner only where the output becomes text. */
  readonly name: string;
  readonly kind: OutputKind;
  readonly content: Uint8Array;
  /** Trust of every path it shows. */
  readonly paths: readonly PathTrust[];
  /** Of a page: the whole it is from, and the byte where it begins there. What is split between two pages is looked for in the whole. */
  readonly partOf?: { readonly content: Uint8Array; readonly from: number };
  /** The file of the workspace it is from, or names. */
  readonly path?: string;
  /** The one path it may be written to; null: none; absent: wherever a person says. */
  readonly destination?: string | null;
}

export interface EffectResult {
  readonly status: 'completed' | 'failed' | 'outcome_unknown';
  /** Sentences in the broker's own words. */
  readonly summary: readonly string[];
  readonly outputs: readonly EffectOutput[];
  readonly errorCode?: string;
  /** A path that was completely replaced. */
  readonly written?: string;
  /** Of a program: whatever it printed is trusted, because every step was proven and what it read is vouched for. */
  readonly proven?: boolean;
  /** Of a job whose output the person let the planner read when it was started. */
  readonly trustOutput?: boolean;
  /** It only repeats what the person answered before. */
  readonly answeredBefore?: boolean;
  /** How each step of a line ended. */
  readonly steps?: readonly StepEnd[];
  /** For the trail. */
  readonly ran?: {
    readonly language: string;
    readonly outcome: string;
    readonly exitCode: number;
    readonly durationMs: number;
    readonly codeBytes: number;
    readonly codeDigest: string;
    readonly signal: string;
    readonly limitsHit: readonly string[];
    readonly stdoutDigest: string;
    readonly stderrDigest: string;
    readonly fileBytes: number;
    /** Over the digest and the name of each file, in the order they came. */
    readonly filesDigest: string;
    readonly filesLeftOut: number;
    readonly stdoutBytes: number;
    readonly stderrBytes: number;
    readonly files: number;
  };
}

export interface EffectTools {
  readonly sandbox: Sandbox;
  readonly models: IsolatedModels;
  /** Skills and agent definitions that hold in a conversation. */
  readonly definitions: Definitions;
  /**
   * Trust of a path by the conversation's map as it is now. With `since`, nothing is vouched for either where a program has run
   * after that moment: it could have put other bytes there and back again.
   */
  trustOf(conversationId: string, paths: readonly string[], since?: Date): Promise<readonly PathTrust[]>;
  /** Trust of the name of each path: a directory on the way to a vouched path has no letter that is not vouched for. */
  trustOfNames(conversationId: string, paths: readonly string[], since?: Date): Promise<readonly PathTrust[]>;
  /** Of each path, whether a rule the conversation began with denies reading it or a directory on the way to it. */
  isReadDenied(conversationId: string, paths: readonly string[]): Promise<readonly boolean[]>;
  /** Asks one URL outside, through egress. @throws FetchFailed */
  readonly fetchHop: FetchHop;
  /** What the rules of the conversation say of a URL that a server named. */
  judgeHop(conversationId: string, url: string): Promise<HopVerdict>;
  /** @throws the signal's reason. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  /** @throws where the slot is gone: the call was bound to it. */
  readSlot(conversationId: string, number: number): Promise<Slot>;
  readonly jobs: Jobs;
  /** What the person answered in this conversation. */
  readonly answers: Pick<Answers, 'find'>;
  readonly schedules: Pick<ScheduleStore, 'scheduleNext' | 'watch'>;
  readonly openDelegates: OpenDelegates;
  readonly languages: Languages;
}

/** `signal`: nobody waits for the result any more, so what can be ended should end. */
export type Execute = (effect: BoundEffect, tools: EffectTools, signal: AbortSignal) => Promise<EffectResult>;

export const failed = (errorCode: string, ...summary: string[]): EffectResult => ({
  status: 'failed',
  summary,
  outputs: [],
  errorCode,
});

/** The file a call is about, whether it was named or meant by a reference. */
export const fileOf = (targets: JsonObject): string => targetOf(targets, 'path' in targets ? 'path' : 'path_ref');

/** A value that decided and therefore must be there; its absence is our own mistake. */
export const targetOf = (targets: JsonObject, name: string): string => {
  const value = targets[name];
  if (typeof value !== 'string') throw new Error(`the bound call has no target "${name}"`);
  return value;
};
