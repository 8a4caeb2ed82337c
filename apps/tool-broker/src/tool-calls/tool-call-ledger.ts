/** The record of every call. Each method is one transaction with its events, so that a state nobody can be told of never exists. */
import type { Allowed, Asked, Decision, Integrity, JsonObject, Label, Preview, TrustMap } from '@bravo/policy';
import type { HeldCredential } from '../credentials/hold-credentials.ts';
import type { BoundEffect, EffectResult } from '../tools/effect.ts';
import type { FreshNotices } from '../turn-notices/turn-notices.ts';
import type { StatedReason, ToolAnswer, ToolCallRequest } from './tool-call.ts';

/** A call and what was decided about it, before anything happens. */
export interface JudgedCall {
  readonly toolCallId: string;
  readonly request: ToolCallRequest;
  readonly policyVersion: string;
}

export interface Refused {
  readonly step: string;
  readonly reasons: readonly StatedReason[];
  readonly rule?: string;
  readonly text: string;
  readonly stepUp?: {
    readonly currentMode: string;
    readonly requiredMode: string;
    /** What a grant for exactly this call would cover. */
    readonly grantScope?: JsonObject;
  };
}

/** What the effect carries besides the bound call, to be kept with it. */
export interface EffectFacts {
  readonly decision: Allowed | Asked;
  readonly inputs: BoundEffect['inputs'];
  readonly contentIntegrity: Integrity;
  /** Paths that count as untrusted from before the write until it is complete. */
  readonly writes: readonly string[];
}

export interface Question {
  readonly approvalId: string;
  readonly expiresAt: Date;
  /** What the person is shown. */
  readonly preview: Preview;
}

export interface SlotToKeep {
  readonly number: number;
  readonly origin: string;
  readonly name: string;
  readonly kind: string;
  readonly lines: number;
  readonly label: Label;
  readonly content: Uint8Array;
  readonly path: string;
  readonly destination?: string | null;
}

/** A finished effect, labelled. */
export interface FinishedCall {
  readonly status: EffectResult['status'];
  /** What the planner is given. */
  readonly text: string;
  readonly label: Label;
  readonly slots: readonly SlotToKeep[];
  /** What became text, for the planner's context and the trail. */
  readonly shown: readonly {
    readonly label: Label;
    readonly released: boolean;
    readonly bytes: number;
    readonly digest: string;
  }[];
  /** Credentials that kept something of it behind a reference. They are written down nowhere. */
  readonly held: readonly HeldCredential[];
  readonly durationMs: number;
  readonly errorCode?: string;
  /** Marks the write leaves, by the policy's table. Of an unfinished one the mark before it stays. */
  readonly marks: TrustMap;
  readonly ran?: EffectResult['ran'];
  readonly steps?: EffectResult['steps'];
}

export interface ToolCallLedger {
  refuse(call: JudgedCall, refused: Refused): Promise<void>;
  /** Records an allowed call as running. */
  start(call: JudgedCall, facts: EffectFacts): Promise<BoundEffect>;
  /** The effect as `start` would give it, of a call that is not on record yet. */
  preview(call: JudgedCall, facts: EffectFacts): BoundEffect;
  /**
   * Records a read with its end, all at once: what was asked for, what was decided and what came of it.
   * @throws Fault conversation_ended, and then nothing is written.
   */
  recordRead(
    call: JudgedCall,
    facts: EffectFacts,
    effect: BoundEffect,
    finished: FinishedCall,
  ): Promise<{ answer: ToolAnswer; fresh: FreshNotices | undefined }>;
  /** Puts the question, unless the identical one is open already: then nothing is written and false is answered. */
  ask(call: JudgedCall, facts: EffectFacts, question: Question): Promise<boolean>;
  /** Uses an approval up. The effect for exactly one caller, nothing for every other. */
  claim(approvalId: string): Promise<BoundEffect | undefined>;
  /** Takes an answer back that no longer fits: what it was given for changed, or the person may no longer do it. */
  void(approvalId: string, decision: Pick<Decision, 'step' | 'reasons'>, text: string): Promise<void>;
  /**
   * Records the end once; whoever comes second is given the first one's answer.
   * `delivered`: its caller takes the answer, or is gone for good; otherwise the identical call picks it up.
   */
  finish(effect: BoundEffect, finished: FinishedCall, delivered: boolean): Promise<ToolAnswer>;
  /** The recorded answer of a call that has ended. */
  answerOf(toolCallId: string): Promise<ToolAnswer | undefined>;
  /** Says that this process still works on the call. */
  beat(toolCallId: string): Promise<void>;
  /** Takes over calls whose process went silent. */
  takeOver(silentSince: Date): Promise<readonly BoundEffect[]>;
}
