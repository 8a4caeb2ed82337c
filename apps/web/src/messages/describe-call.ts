/** Words for a tool call's card; it must never say that something happened which may not have. */
import type { CallStatus, UiToolCall } from '../conversation/conversation-state.ts';

export const STATUS_WORDS: Record<CallStatus, string> = {
  running: 'Running',
  needs_approval: 'Needs your answer',
  approved: 'Approved, running',
  completed: 'Done',
  failed: 'Failed',
  denied: 'Denied',
  refused: 'Refused by policy',
  expired: 'Expired unanswered',
  outcome_unknown: 'Outcome unknown',
};

const VERBS: Record<string, string> = {
  execute_script: 'Run a script',
  read_file: 'Read a file',
  list_files: 'List files',
  search: 'Search files',
  write_file: 'Write a file',
  edit_file: 'Edit a file',
  fetch_url: 'Fetch a page',
  read_output: 'Let @bravo read a program’s output',
  vet_content: 'Let @bravo read quarantined content',
  spawn_processor: 'Work on quarantined content',
  read_git: 'Read git history',
  todo_write: 'Task list',
  ask_user: 'Ask you',
  run: 'Run a command line',
  job_output: 'Look at a background job',
  schedule_next: 'Look again later',
  watch_file: 'Watch a file',
};

export function callTitle(tool: string): string {
  return VERBS[tool] ?? tool;
}

/** The one argument that says most, on one line, for the collapsed card. */
export function callSubject(call: UiToolCall): string {
  if (typeof call.input !== 'object' || call.input === null) return '';
  const input = call.input as Record<string, unknown>;
  const value =
    input['path'] ??
    input['path_ref'] ??
    input['ref'] ??
    input['command'] ??
    input['job'] ??
    input['language'] ??
    input['url'] ??
    input['query'] ??
    '';
  return typeof value === 'string' ? value : '';
}

export interface Argument {
  name: string;
  text: string;
  /** Long or multi-line: drawn as a block of its own. */
  block: boolean;
}

/** Every argument of a call in full, the short ones first, so that what decides is read before the long text. */
export function callArguments(input: unknown): Argument[] {
  if (typeof input !== 'object' || input === null) return [{ name: 'input', text: String(input), block: true }];
  const all = Object.entries(input)
    .filter(([name]) => name !== 'why')
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
      return { name, text, block: name === 'code' || text.includes('\n') || text.length > 60 };
    });
  return [...all.filter((argument) => !argument.block), ...all.filter((argument) => argument.block)];
}
