/** What the model gateway knows of a workspace and a person in it, as it is now. */
import type { Limits } from '../quotas/limits.ts';
import type { ProviderReading } from '../rosters/read-providers.ts';

export interface WorkspaceView {
  readonly plan: string;
  /** `model` of the settings in force. */
  readonly model: string | undefined;
  readonly fallbackModel: string | undefined;
  readonly limits: Limits;
  readonly providers: ProviderReading;
}

export interface Workspaces {
  read(owner: { readonly workspaceId: string; readonly userId: string }): Promise<WorkspaceView>;
  /** A sealed secret; undefined where the workspace keeps none of that name. */
  readSecret(workspaceId: string, name: string): Promise<string | undefined>;
}
