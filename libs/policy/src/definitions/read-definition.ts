/** Reads a skill or an agent definition: front matter in YAML, then Markdown. Guarantees that a document has one meaning, and that no list or word of it makes an agent able to do more than its kind. */
import { parse } from 'yaml';
import { countHidden } from '../previews/reveal-hidden.ts';

export const DEFINITION_KINDS = ['skill', 'agent'] as const;
export type DefinitionKind = (typeof DEFINITION_KINDS)[number];

/** What a delegate may do at most, least first. */
export const AGENT_KINDS = ['reader', 'checker', 'worker'] as const;
export type AgentKind = (typeof AGENT_KINDS)[number];

interface Described {
  /** Lower-case letters, digits and dashes. */
  readonly name: string;
  /** One line. */
  readonly description: string;
  /** Markdown after the front matter. */
  readonly body: string;
}

export interface SkillDefinition extends Described {
  readonly kind: 'skill';
}

export interface AgentDefinition extends Described {
  readonly kind: 'agent';
  readonly agentKind: AgentKind;
  /** Names of tools it is narrowed to; absent: all of its kind. An empty list is no tool at all. */
  readonly tools: readonly string[] | undefined;
  /** Rounds it may take; absent: as many as its kind. */
  readonly rounds: number | undefined;
  /** As `model` of the settings names one; absent: the one of the conversation. */
  readonly model: string | undefined;
  /** Names of skills it is narrowed to; absent: all. */
  readonly skills: readonly string[] | undefined;
}

export type Definition = SkillDefinition | AgentDefinition;

export type ReadDefinition =
  | {
      readonly ok: true;
      readonly definition: Definition;
      /** Keys that change nothing. */ readonly ignored: readonly string[];
    }
  | { readonly ok: false; /** Continues "The document …". */ readonly why: string };

/** UTF-16 units. */
export const MAX_DEFINITION_CHARS = 32 * 1024;
export const DEFINITION_NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const MAX_NAME = 64;
const MAX_DESCRIPTION = 400;
const MAX_ROUNDS = 200;
const FRONT_MATTER = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

const KEYS: Readonly<Record<DefinitionKind, readonly string[]>> = {
  skill: ['name', 'description'],
  agent: ['name', 'description', 'kind', 'tools', 'rounds', 'model', 'skills'],
};

class Unreadable extends Error {}

/** Total: whatever the text is, it is read or refused with what is wrong. */
export function readDefinition(kind: DefinitionKind, text: string): ReadDefinition {
  try {
    const { keys, body } = split(text);
    const definition = kind === 'skill' ? readSkill(keys, body) : readAgent(keys, body);
    return { ok: true, definition, ignored: [...keys.keys()].filter((key) => !KEYS[kind].includes(key)).slice(0, 20) };
  } catch (error) {
    return { ok: false, why: error instanceof Unreadable ? error.message : 'cannot be read' };
  }
}

/** Whether a text can be the name of one: what it is looked up by. */
export const isDefinitionName = (name: string): boolean => name.length <= MAX_NAME && DEFINITION_NAME.test(name);

function split(text: string): { keys: ReadonlyMap<string, unknown>; body: string } {
  if (text.length > MAX_DEFINITION_CHARS) throw new Unreadable(`is longer than ${MAX_DEFINITION_CHARS} characters`);
  const front = FRONT_MATTER.exec(text);
  if (front === null)
    throw new Unreadable(
      'must begin with front matter: a line "---", "name:" and "description:" lines, and a line "---"',
    );
  return { keys: readKeys(front[1]!), body: text.slice(front[0].length) };
}

/** Words alone: no anchors that grow, no tags, no key twice, no value that is another type for another reader. */
function readKeys(yaml: string): ReadonlyMap<string, unknown> {
  let read: unknown;
  try {
    read = parse(yaml, { schema: 'failsafe', mapAsMap: true, maxAliasCount: 0, uniqueKeys: true, logLevel: 'error' });
  } catch {
    throw new Unreadable('has front matter that is no YAML, or holds a key twice, an anchor or a tag');
  }
  if (!(read instanceof Map)) throw new Unreadable('has front matter without "name:" and "description:"');
  return read as ReadonlyMap<string, unknown>;
}

function readSkill(keys: ReadonlyMap<string, unknown>, body: string): SkillDefinition {
  if (body.trim() === '') throw new Unreadable('says nothing after its front matter');
  return { kind: 'skill', ...describe(keys), body };
}

function readAgent(keys: ReadonlyMap<string, unknown>, body: string): AgentDefinition {
  const kind = wordOf(keys, 'kind');
  const agentKind = AGENT_KINDS.find((known) => known === kind);
  if (agentKind === undefined) throw new Unreadable(`needs "kind:", one of ${AGENT_KINDS.join(', ')}`);
  return {
    ...{ kind: 'agent', ...describe(keys), agentKind, body },
    ...{ tools: namesOf(keys, 'tools'), skills: namesOf(keys, 'skills') },
    ...{ rounds: roundsOf(keys), model: wordOf(keys, 'model') },
  };
}

function describe(keys: ReadonlyMap<string, unknown>): { name: string; description: string } {
  const name = wordOf(keys, 'name') ?? '';
  if (!isDefinitionName(name))
    throw new Unreadable(
      `needs a "name:" of lower-case letters, digits and single dashes, at most ${MAX_NAME} characters`,
    );
  const description = (wordOf(keys, 'description') ?? '').replace(/\s+/g, ' ').trim();
  if (description === '' || description.length > MAX_DESCRIPTION)
    throw new Unreadable(`needs a "description:" of 1 to ${MAX_DESCRIPTION} characters`);
  if (countHidden(description) > 0)
    throw new Unreadable('has a description with characters that cannot be seen or pose as others');
  return { name, description };
}

function wordOf(keys: ReadonlyMap<string, unknown>, key: string): string | undefined {
  const value = keys.get(key);
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw new Unreadable(`has "${key}:" that is no text`);
  const word = value.trim();
  return word === '' ? undefined : word;
}

/** A list, or words with commas between. INVARIANT: what is there and cannot be read narrows to nothing it could widen, so it is refused. */
function namesOf(keys: ReadonlyMap<string, unknown>, key: string): readonly string[] | undefined {
  const value = keys.get(key);
  if (value === undefined) return undefined;
  const items: readonly unknown[] =
    typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [undefined];
  const names = items.map((item) => (typeof item === 'string' ? item.trim() : undefined));
  if (names.length > 100 || names.some((name) => name === undefined || name.length > 128))
    throw new Unreadable(`has "${key}:" that is no list of names`);
  return [...new Set(names as string[])].filter((name) => name !== '');
}

function roundsOf(keys: ReadonlyMap<string, unknown>): number | undefined {
  const word = wordOf(keys, 'rounds');
  if (word === undefined) return undefined;
  const rounds = /^[1-9][0-9]{0,3}$/.test(word) ? Number(word) : 0;
  if (rounds < 1 || rounds > MAX_ROUNDS)
    throw new Unreadable(`has "rounds:" that is no number from 1 to ${MAX_ROUNDS}`);
  return rounds;
}
