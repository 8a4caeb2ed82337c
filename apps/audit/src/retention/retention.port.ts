/** What is kept for how long and what is held, as the use cases see it. Nothing here can change or remove what was said before. */
import type { StoredStub } from './stub.ts';

/** Seconds; null for ever. */
export interface Policy {
  readonly rows: number | null;
  readonly content: number | null;
}

export const HOLD_SCOPES = ['workspace', 'person', 'conversation'] as const;
export type HoldScope = (typeof HOLD_SCOPES)[number];

export interface Hold {
  readonly holdId: string;
  readonly scope: HoldScope;
  /** Id of the person or conversation; empty for the workspace. */
  readonly subject: string;
  readonly reason: string;
  readonly placedBy: string;
  readonly placedAt: Date;
  /** Nothing from this entry on is pruned while it stands. */
  readonly protectsFrom: number;
  readonly lifted?: { readonly by: string; readonly at: Date; readonly reason: string } | undefined;
}

export interface NewHold extends Pick<Hold, 'scope' | 'subject' | 'reason'> {
  readonly placedBy: string;
}

export interface Retention {
  policy(workspaceId: string): Promise<{ readonly policy: Policy; readonly own: boolean }>;
  /** With its event. */
  setPolicy(workspaceId: string, policy: Policy, by: string): Promise<void>;
  /** The operator's, for every workspace that says nothing. */
  setDefault(policy: Policy): Promise<void>;
  /** Newest first. */
  holds(workspaceId: string): Promise<readonly Hold[]>;
  /** With its event, under the lock of the log: pruning has ended or begins with the hold in place. */
  placeHold(workspaceId: string, hold: NewHold): Promise<Hold>;
  /** With its event. Undefined where there is no such hold; a lifted one stays as it was lifted first. */
  liftHold(workspaceId: string, holdId: string, by: string, reason: string): Promise<Hold | undefined>;
  /** The newest. */
  stub(workspaceId: string): Promise<StoredStub | undefined>;
  /** Workspaces with a log and a time after which rows go. */
  prunable(): Promise<readonly { readonly workspaceId: string; readonly seconds: number }[]>;
  /** The most entries whose going the holds, the age of the rows and the places outside allow, at a size that was signed; 0 for none. */
  pruneTo(workspaceId: string, seconds: number, sinks: readonly string[]): Promise<{ size: number; before: Date }>;
  /** Destroys keys that ended sealing so long ago, unless their person is held; with events. @returns how many. */
  expireContent(keyLifeSeconds: number): Promise<number>;
}

/** The one way in which rows go, of a role that can do nothing else. */
export interface Pruner {
  /** All of it or nothing. @returns entries that went; 0 where another was faster. @throws where the database does not allow it. */
  prune(workspaceId: string, stub: StoredStub & { readonly leafHashes: Uint8Array }, told: TellPruned): Promise<number>;
}

export interface TellPruned {
  readonly first: number;
  readonly before: Date;
}
