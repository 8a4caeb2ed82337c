/** Every tool with what the workspace's policy makes of it now, the denied ones too, so that saving a list never loses one. */
import { judgeToolLists, type ToolManifest } from '@bravo/policy';
import type { AgentConfig, Identity } from '../access/agent.ts';
import type { ToolCatalogue } from '../manifests/catalogue.ts';
import type { ProgramsUnavailable } from '../sandbox/sandbox.ts';

export interface ListedTool {
  readonly manifest: ToolManifest;
  readonly state: 'available' | 'needs_approval' | 'denied';
  readonly reason: string;
}

/** What holds for future conversations; a running one keeps the policy it started with. */
export const createListTools =
  (identity: Identity, catalogue: ToolCatalogue, programsUnavailable: ProgramsUnavailable) =>
  async (workspaceId: string): Promise<readonly ListedTool[]> => {
    const [features, { config }, noPrograms] = await Promise.all([
      identity.features(workspaceId),
      identity.agentConfig(workspaceId),
      programsUnavailable(),
    ]);
    return [...catalogue.values()].map(({ manifest }) => ({
      manifest,
      ...stateOf(manifest, config, features, noPrograms),
    }));
  };

const stateOf = (
  manifest: ToolManifest,
  config: AgentConfig,
  features: Readonly<Record<string, boolean>>,
  noPrograms: string | undefined,
): Pick<ListedTool, 'state' | 'reason'> => {
  const denied = (reason: string) => ({ state: 'denied', reason }) as const;
  if (features['bravo'] !== true) return denied('The feature is off for this workspace.');
  if (!config.enabled) return denied('@bravo is switched off in this workspace.');
  // The feature stands above the switch: one of them off is off.
  const codeExecEnabled = config.codeExecEnabled && features['code_exec'] === true;
  const listed = judgeToolLists(manifest, { ...config, codeExecEnabled });
  if (listed !== undefined) return denied(listed.text);
  if (manifest.runsCode && noPrograms !== undefined) return denied(noPrograms);
  if (config.requireApproval.includes(manifest.name))
    return { state: 'needs_approval', reason: 'This workspace asks a person before every call.' };
  if (manifest.defaultGate !== 'none')
    return { state: 'needs_approval', reason: 'This tool asks a person before every call.' };
  return { state: 'available', reason: '' };
};
