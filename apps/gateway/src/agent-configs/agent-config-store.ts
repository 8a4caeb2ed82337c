/** Where a workspace's agent configuration is kept, in the API's own words. */
import type { Caller } from '../callers/caller.ts';
import type { AgentConfig } from './agent-config-routes.ts';

export interface VersionedConfig {
  readonly config: AgentConfig;
  readonly version: number;
}

export interface AgentConfigStore {
  read(caller: Caller): Promise<VersionedConfig>;
  /** `seen` 0: whatever version is there. @throws Fault version_conflict, permission_denied. */
  replace(caller: Caller, config: AgentConfig, seen: number): Promise<VersionedConfig>;
}
