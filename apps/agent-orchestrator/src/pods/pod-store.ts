/** What is kept of pods, so that every container second is counted and every token revoked, also after a crash. */
import type { Owner } from '../conversations/conversation.ts';

export interface PodClaim {
  readonly podId: string;
  readonly conversationId: string;
  readonly owner: Owner;
  readonly warm: boolean;
  readonly durationMs: number;
}

export interface PodUse {
  readonly userId: string;
  readonly claimedAt: Date;
  /** `undefined` while it is claimed. */
  readonly releasedAt: Date | undefined;
}

export interface PodStore {
  insert(pod: { readonly id: string; readonly tokenId: string; readonly tokenExpiresAt: Date }): Promise<void>;
  markWarm(podId: string): Promise<void>;
  /** One compare-and-set: false when the pod is no longer warm. */
  claim(claim: PodClaim): Promise<boolean>;
  /** Once per pod; counts its seconds and gives the workspace's place back when nothing else needs it. */
  release(podId: string, reason: string): Promise<void>;
  /** Marks this instance's pods as seen. @returns those that are still its own, also ones that are being started. */
  heartbeat(): Promise<{ readonly id: string; readonly createdAt: Date }[]>;
  /** Releases what instances have left that are dead or were not seen for so long, up to when they were seen last. */
  releaseLeft(deadOwners: readonly string[], unseenMs: number): Promise<number>;
  /** Pods that are not released, of every instance, by state. */
  countByState(): Promise<Readonly<Record<string, number>>>;
  /** Released pods whose tokens identity still has to revoke. */
  unrevoked(limit: number): Promise<{ readonly podId: string; readonly tokenId: string }[]>;
  markRevoked(podId: string): Promise<void>;
  /** Asks the pod of the workspace that has been idle longest to go, whoever keeps it. @returns its id, or nothing when none is idle. */
  giveWay(workspaceId: string): Promise<string | undefined>;
  /** Pods of this instance that were asked to go. */
  wanted(): Promise<string[]>;
  isReleased(podId: string): Promise<boolean>;
  /** Whether nothing of the conversation runs or waits. */
  isIdle(conversationId: string): Promise<boolean>;
  /** Of the given conversations, those that have ended. */
  ended(conversationIds: readonly string[]): Promise<string[]>;
  /** Pods claimed in a workspace between two moments; of one person where given. */
  uses(workspaceId: string, from: Date, to: Date, userId?: string): Promise<PodUse[]>;
}
