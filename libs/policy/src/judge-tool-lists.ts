/** What a workspace's lists say of a tool. One rule for the decision, for what an agent is shown and for what an admin reads; an empty `allowedTools` is all (D18). */
import type { Reason } from './decision.ts';
import type { ConfigSnapshot } from './facts.ts';
import type { ToolManifest } from './manifest.ts';

/** Why the lists refuse the tool, or nothing: `denied_tools`, then a non-empty `allowed_tools`, then `code_exec_enabled` for what runs code. */
export function judgeToolLists(
  { name, runsCode }: Pick<ToolManifest, 'name' | 'runsCode'>,
  config: Pick<ConfigSnapshot, 'deniedTools' | 'allowedTools' | 'codeExecEnabled'>,
): Reason | undefined {
  if (config.deniedTools.includes(name)) {
    return { code: 'tool_denied', text: `An administrator has denied the tool ${name} in this workspace.` };
  }
  if (config.allowedTools.length > 0 && !config.allowedTools.includes(name)) {
    return {
      code: 'tool_not_allowed',
      text: `The tool ${name} is not among the tools allowed in this workspace.`,
    };
  }
  if (runsCode && config.codeExecEnabled !== true) {
    return { code: 'code_execution_off', text: 'Running code is not enabled in this workspace.' };
  }
  return undefined;
}
