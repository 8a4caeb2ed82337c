/** The executor of every first-party tool by name; a tool without one keeps the broker from starting. */
import type { ToolCatalogue } from '../manifests/catalogue.ts';
import type { Execute } from './effect.ts';
import { askUser } from './ask-user/ask-user.ts';
import { editFile } from './edit-file/edit-file.ts';
import { executeScript } from './execute-script/execute-script.ts';
import { fetchUrl } from './fetch-url/fetch-url.ts';
import { jobOutput } from './job-output/job-output.ts';
import { listFiles } from './list-files/list-files.ts';
import { loadSkill } from './load-skill/load-skill.ts';
import { lsp } from './lsp/lsp.ts';
import { readFile } from './read-file/read-file.ts';
import { readGit } from './read-git/read-git.ts';
import { readOutput } from './read-output/read-output.ts';
import { scheduleNext } from './schedule-next/schedule-next.ts';
import { spawnProcessor } from './spawn-processor/spawn-processor.ts';
import { spawnAgent } from './spawn-agent/spawn-agent.ts';
import { todoWrite } from './todo-write/todo-write.ts';
import { watchFile } from './watch-file/watch-file.ts';
import { vetContent } from './vet-content/vet-content.ts';
import { run } from './run/run.ts';
import { search } from './search/search.ts';
import { writeFile } from './write-file/write-file.ts';

/**
 * A tool a person could approve and nothing could carry out is found before it is offered.
 * @throws Error naming every tool without an executor and every executor without a tool.
 */
export const checkExecutors = (
  catalogue: ToolCatalogue,
  executors: Readonly<Record<string, Execute>>,
): Readonly<Record<string, Execute>> => {
  const problems = [
    ...[...catalogue.keys()]
      .filter((name) => !Object.hasOwn(executors, name))
      .map((name) => `Tool ${name} has a manifest and no executor; add it to tools/executors.ts.`),
    ...Object.keys(executors)
      .filter((name) => !catalogue.has(name))
      .map((name) => `Tool ${name} has an executor and no manifest; add it to manifests/catalogue.ts.`),
  ];
  if (problems.length > 0) throw new Error(`Manifests and executors do not match:\n- ${problems.join('\n- ')}`);
  return executors;
};

export const EXECUTORS: Readonly<Record<string, Execute>> = {
  read_file: readFile,
  list_files: listFiles,
  search,
  read_git: readGit,
  lsp,
  write_file: writeFile,
  edit_file: editFile,
  execute_script: executeScript,
  read_output: readOutput,
  vet_content: vetContent,
  spawn_processor: spawnProcessor,
  spawn_agent: spawnAgent,
  fetch_url: fetchUrl,
  todo_write: todoWrite,
  load_skill: loadSkill,
  ask_user: askUser,
  schedule_next: scheduleNext,
  watch_file: watchFile,
  run,
  job_output: jobOutput,
};
