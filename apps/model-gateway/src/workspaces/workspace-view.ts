/** What the model gateway knows of a workspace and a person in it, as it is now. */
import type { Limits } from '../quotas/limits.ts';
import type { ProviderReading } from '../rosters/provider-reading.ts';

export interface WorkspaceView {
  readonly plan: string;
  /** `model` of the settings in force. */
  readonly model: string | undefined;
  readonly fallbackModel: string | undefined;
  readonly limits: Limits;
  /** `limits.contextTokens` of the settings in force: a budget set by hand. */
  readonly contextTokens: number | undefined;
  readonly providers: ProviderReading;
}

export interface Workspaces {
  /** `conversationId`: whose own layer counts too; empty: none. */
  read(owner: {
    readonly workspaceId: string;
    readonly userId: string;
    readonly conversationId: string;
  }): Promise<WorkspaceView>;
  /** A sealed secret; undefined where the workspace keeps none of that name. */
  readSecret(workspaceId: string, name: string): Promise<string | undefined>;
}
