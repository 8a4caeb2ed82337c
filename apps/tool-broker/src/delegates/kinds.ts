/** What each kind of delegate holds at most. A tool that is not named here is held by none: a new one is given to delegates by a decision. */

export const DELEGATE_KINDS = ['reader', 'checker', 'worker'] as const;
export type DelegateKind = (typeof DELEGATE_KINDS)[number];

const READS = [
  'read_file',
  'list_files',
  'search',
  'read_git',
  'load_skill',
  'read_output',
  'spawn_processor',
  'spawn_agent',
];
const RUNS = ['run', 'job_output', 'execute_script', 'lsp'];
const WRITES = ['write_file', 'edit_file'];

/** They speak to the person, reach outside or outlive the task: no delegate holds one. */
export const NEVER_DELEGATED: readonly string[] = [
  ...['ask_user', 'todo_write', 'schedule_next', 'watch_file', 'fetch_url', 'vet_content'],
];

export const TOOLS_OF_KIND: Readonly<Record<DelegateKind, readonly string[]>> = {
  reader: READS,
  checker: [...READS, ...RUNS],
  worker: [...READS, ...RUNS, ...WRITES],
};

export const isDelegateKind = (name: string): name is DelegateKind =>
  (DELEGATE_KINDS as readonly string[]).includes(name);

export const MAX_DEPTH = 3;

/**
 * What a delegate holds: of its kind, what its parent holds and its definition leaves. It only ever narrows.
 * @param held the parent's; undefined for a person's own conversation, which holds what its policy leaves of all.
 * @param named the definition's list; undefined where it has none.
 */
export const narrowTools = (
  kind: DelegateKind,
  { held, named, depth }: { held: readonly string[] | undefined; named?: readonly string[] | undefined; depth: number },
): readonly string[] =>
  TOOLS_OF_KIND[kind].filter(
    (tool) =>
      (held === undefined || held.includes(tool)) &&
      (named === undefined || named.includes(tool)) &&
      !(tool === 'spawn_agent' && depth >= MAX_DEPTH),
  );
