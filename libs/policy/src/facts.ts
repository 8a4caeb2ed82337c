/** The value `decide` judges. Guarantees that whatever could not be read has a way to say so (`unknown`); it must never carry a client, a clock or a promise. */
import type { ContextState } from './context.ts';
import type { JsonObject, JsonValue } from './json.ts';
import type { Label } from './label.ts';
import type { ToolManifest } from './manifest.ts';
import type { Mode, Permission } from './permissions.ts';
import type { PathTrust } from './trust-map.ts';

/** Written where a fact could not be read. It denies, wherever it stands. */
export type Unknown = 'unknown';

/** The policy a conversation started with (trust rule 4). An empty `allowedTools` is "all that mode and role allow" (D18). */
export interface ConfigSnapshot {
  readonly enabled: boolean;
  readonly allowedTools: readonly string[];
  readonly deniedTools: readonly string[];
  readonly requireApproval: readonly string[];
  readonly codeExecEnabled: boolean;
  /** Names this snapshot in approvals: another policy is another question. */
  readonly policyVersion: string;
}

export type ToolFact =
  | { readonly kind: 'known'; readonly manifest: ToolManifest; readonly offered: boolean }
  | { readonly kind: 'unknown'; readonly name: string };

export interface PrincipalFact {
  readonly userId: string;
  /** Absent where the token is bound to no conversation yet (D25): it may call nothing. */
  readonly conversationId: string | undefined;
  /** The person's own permissions, read now. */
  readonly permissions: readonly Permission[] | Unknown;
}

/** A path the call reads or writes. */
export interface PathFact {
  readonly path: string;
  readonly access: 'read' | 'write';
  readonly trust: PathTrust | Unknown;
  /** Revision of the path the answer is bound to; null: there is nothing there. */
  readonly revision: string | null | Unknown;
  /** It is changed in place: what it holds decides where. */
  readonly edits?: boolean;
}

/** Bytes that go into the effect beside the planner's own words: a resolved reference, a file given to a program. */
export interface InputFact {
  readonly name: string;
  /** Read by `readLabel` where it came from outside; unknown counts as (untrusted, private). */
  readonly label: Label | Unknown;
  /** The one path it may be written to, null: to none; absent: wherever a person says. */
  readonly destination?: string | null;
}

/** Something of a call that looks like a credential: what and where, and never its text. */
export interface CredentialFact {
  /** `given`: the agent's own words hold it. `shown`: the result would show it to the agent. */
  readonly at: 'given' | 'shown';
  /** Words of ours. */
  readonly kind: string;
  /** Of an argument its name, and the line; words of ours. */
  readonly place: string;
  /** Its shape says what it is; otherwise it is taken for one by its name and look. */
  readonly declared: boolean;
}

export interface RuleHit {
  /** The rule as written. */
  readonly rule: string;
  readonly layer: 'platform' | 'workspace' | 'user' | 'repository' | 'conversation';
  /** The rule names this exact value and nothing wider (a remembered line): it may answer D5 inside the workspace. */
  readonly exact?: boolean;
}

/** Rules that matched this call, already evaluated. */
export interface RuleVerdicts {
  readonly deny: readonly RuleHit[];
  readonly ask: readonly RuleHit[];
  readonly allow: readonly RuleHit[];
}

/** A person's standing answer for one operation within one routing scope (D4). */
export interface Grant {
  readonly id: string;
  readonly tool: string;
  /** Routing arguments and the exact values granted; of a place in the workspace, where it leads. Empty grants a tool without routing arguments only. */
  readonly scope: JsonObject;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface Facts {
  readonly feature: 'on' | 'off' | Unknown;
  readonly config: ConfigSnapshot | Unknown;
  readonly tool: ToolFact;
  readonly principal: PrincipalFact;
  readonly mode: Mode | Unknown;
  readonly context: ContextState | Unknown;
  readonly arguments: Readonly<Record<string, JsonValue>>;
  /** Labels of the arguments' words as the caller wrote them. A missing one is (untrusted, private). */
  readonly argumentLabels: Readonly<Record<string, Label>>;
  /** What routing arguments resolved to (a path, a host, a reference's target); bound into the approval. */
  readonly resolvedTargets: JsonObject;
  readonly paths: readonly PathFact[] | Unknown;
  readonly inputs: readonly InputFact[] | Unknown;
  /** What is written, or where, is named by a reference: only a person sees what is behind it. */
  readonly writesThroughReference: boolean | Unknown;
  /** What looks like a credential in the words of a call that has an effect, and in what a read would show once that is known. */
  readonly credentials: readonly CredentialFact[] | Unknown;
  /** The program line assigns an environment variable. */
  readonly assignsEnvironment: boolean | Unknown;
  /** Every step of a program line is vouched for, remembered or proven. */
  readonly proven: boolean | Unknown;
  readonly rules: RuleVerdicts | Unknown;
  readonly grants: readonly Grant[] | Unknown;
  /** Whether somebody is looking: a run nobody watches ignores allow rules. */
  readonly watched: boolean;
  /** Of a call that only asks: the person has answered each of its questions before, and the agent was told. Absent: not so. */
  readonly answeredBefore?: boolean;
  /** Whether a question can reach a person at all; nobody to ask means no. */
  readonly personCanAnswer: boolean;
  /** Milliseconds since the epoch, for the expiry of grants. */
  readonly now: number;
}
