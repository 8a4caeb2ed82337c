/** Every first-party tool, in a fixed order; guarantees that a manifest with a gap keeps the broker from starting. */
import { checkManifest } from '@bravo/policy';
import { askUserTool } from './ask-user.ts';
import { editFileTool } from './edit-file.ts';
import { executeScriptTool } from './execute-script.ts';
import { fetchUrlTool } from './fetch-url.ts';
import { jobOutputTool } from './job-output.ts';
import { listFilesTool } from './list-files.ts';
import { lspTool } from './lsp.ts';
import { readOutputTool } from './read-output.ts';
import { spawnAgentTool } from './spawn-agent.ts';
import { spawnProcessorTool } from './spawn-processor.ts';
import { vetContentTool } from './vet-content.ts';
import { readGitTool } from './read-git.ts';
import { readFileTool } from './read-file.ts';
import { runTool } from './run.ts';
import { loadSkillTool } from './load-skill.ts';
import { scheduleNextTool } from './schedule-next.ts';
import { searchTool } from './search.ts';
import { todoWriteTool } from './todo-write.ts';
import type { ToolDefinition } from './tool-definition.ts';
import { watchFileTool } from './watch-file.ts';
import { writeFileTool } from './write-file.ts';

export type ToolCatalogue = ReadonlyMap<string, ToolDefinition>;

/** @throws Error naming every gap of every manifest. */
export const buildCatalogue = (definitions: readonly ToolDefinition[]): ToolCatalogue => {
  const problems = definitions.flatMap(({ manifest, inputSchema }) => checkManifest(manifest, inputSchema));
  const names = definitions.map(({ manifest }) => manifest.name);
  for (const name of new Set(names.filter((name, index) => names.indexOf(name) !== index))) {
    problems.push(`Tool ${name}: the name is used twice.`);
  }
  if (problems.length > 0) throw new Error(`The tool manifests have gaps:\n- ${problems.join('\n- ')}`);
  return new Map(definitions.map((definition) => [definition.manifest.name, definition]));
};

export const FIRST_PARTY_TOOLS = [
  readFileTool,
  listFilesTool,
  searchTool,
  readGitTool,
  lspTool,
  writeFileTool,
  editFileTool,
  executeScriptTool,
  runTool,
  jobOutputTool,
  readOutputTool,
  vetContentTool,
  spawnProcessorTool,
  spawnAgentTool,
  fetchUrlTool,
  todoWriteTool,
  loadSkillTool,
  askUserTool,
  scheduleNextTool,
  watchFileTool,
] as const;

export const firstPartyCatalogue = (): ToolCatalogue => buildCatalogue(FIRST_PARTY_TOOLS);
