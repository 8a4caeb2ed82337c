/**
 * Makes the tool call of a request out of the tools that are really offered, with the argument names of their schemas.
 *
 * The same request and the same offer always make the same call, to the letter: an approval is bound to it.
 */
import type { ModelTool } from '../model-provider.port.ts';
import type { AskedOf, CallRequest } from './request.ts';

export interface BuiltCall {
  /** As offered, for example `platform__read_file`. */
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export const TOOL_OF: Readonly<Record<CallRequest['kind'], string>> = {
  list: 'list_files',
  read: 'read_file',
  write: 'write_file',
  edit: 'edit_file',
  process: 'spawn_processor',
  save: 'write_file',
  vet: 'vet_content',
  ask: 'ask_user',
  watch: 'watch_file',
  again: 'schedule_next',
  run: 'execute_script',
  delegate: 'spawn_agent',
};

/** The offered tool whose name is `tool` after the server's prefix, or undefined. */
export const findTool = (tools: readonly ModelTool[], tool: string): ModelTool | undefined =>
  tools.find(({ name }) => plainName(name) === plainName(tool));

/** A tool's own name without the prefix of its server. */
export const plainName = (name: string): string => name.slice(name.lastIndexOf('__') + 1).replace(/^_/, '');

/** Undefined when no tool for it is offered, or one that does not take what the request holds. */
export function buildCall(request: CallRequest, tools: readonly ModelTool[]): BuiltCall | undefined {
  const tool = findTool(tools, TOOL_OF[request.kind]);
  if (!tool) return undefined;
  const properties = (tool.parameters['properties'] ?? {}) as Record<string, { enum?: unknown[] } | undefined>;
  const args: Record<string, unknown> = {};
  /** Sets the first of the spellings the schema knows; false when it knows none. */
  const set = (value: unknown, ...names: string[]): boolean => {
    const name = names.find((candidate) => Object.hasOwn(properties, candidate));
    if (name !== undefined) args[name] = value;
    return name !== undefined;
  };
  const fits = fill(request, set, properties);
  if (!fits) return undefined;
  set(whyOf(request), 'why');
  return { name: tool.name, arguments: args };
}

function fill(
  request: CallRequest,
  set: (value: unknown, ...names: string[]) => boolean,
  properties: Record<string, { enum?: unknown[] } | undefined>,
): boolean {
  switch (request.kind) {
    case 'list':
      return request.directory === undefined || set(request.directory, 'directory', 'path', 'dir', 'folder');
    case 'read':
      return set(request.path, 'path', 'file', 'file_path');
    case 'write':
      return set(request.path, 'path', 'file', 'file_path') && set(request.contents, 'contents', 'content', 'text');
    case 'edit':
      return set(request.path, 'path') && set(request.from, 'old_text') && set(request.to, 'new_text');
    case 'process':
      return set([request.ref], 'reads') && set(request.instruction, 'instruction');
    case 'save':
      return set(request.path, 'path') && set(request.ref, 'contents_ref');
    case 'vet':
      return set(request.ref, 'ref');
    case 'watch':
      return set(request.path, 'path');
    case 'again':
      return set(request.seconds, 'delay_seconds') && set(true, 'noop');
    case 'ask':
      return set(request.questions.map(toQuestion), 'questions');
    case 'delegate':
      if (request.tasks.length === 1) return set(request.as, 'kind') && set(request.tasks[0], 'task');
      return set(request.as, 'kind') && set('Hello.', 'task') && set([...request.tasks], 'each');
    case 'run': {
      const offered = (properties['language'] ?? properties['lang'])?.enum;
      const spelling = [request.language, ...(request.language === 'node' ? ['javascript', 'js'] : [])].find(
        (word) => offered === undefined || offered.includes(word),
      );
      if (
        spelling === undefined ||
        !set(spelling, 'language', 'lang') ||
        !set(request.code, 'code', 'script', 'source')
      )
        return false;
      return request.files.length === 0 || set([...request.files], 'files');
    }
  }
}

const toQuestion = ({ header, question, options, multiple }: AskedOf) => ({
  ...{ header, question },
  ...(options.length === 0 ? {} : { options }),
  ...(multiple ? { multiple } : {}),
});

function whyOf(request: CallRequest): string {
  switch (request.kind) {
    case 'list':
      return 'You asked to see which files there are.';
    case 'read':
      return 'You asked to see this file.';
    case 'write':
      return 'You asked for this file to be written.';
    case 'edit':
      return 'You asked for this change.';
    case 'process':
      return 'You asked for this to be worked on.';
    case 'save':
      return 'You asked for this to be saved.';
    case 'vet':
      return 'You asked me to read this.';
    case 'watch':
      return 'You asked to be told when it changes.';
    case 'again':
      return 'You asked for another look.';
    case 'ask':
      return 'You asked to be asked.';
    case 'delegate':
      return 'You asked for this to be handed on.';
    case 'run':
      return `You asked for this ${request.language} code to be run.`;
  }
}
