/** Where a call lands and what goes into it, as its manifest says of each argument. Guarantees that an argument is resolved by what it reaches and never by its name; what cannot be resolved is `unknown`, which denies. */
import { Fault, isFault } from '@bravo/faults';
import {
  type ArgumentManifest,
  classifyHost,
  type CommandCandidate,
  type Facts,
  firstLabel,
  hostOfUrl,
  type InputFact,
  type JsonObject,
  type JsonValue,
  lookUpTrust,
  type PathFact,
  type Reach,
  type ToolManifest,
  WRITING_REACHES,
} from '@bravo/policy';
import type { BoundAgent } from '../access/agent.ts';
import type { ConversationStore } from '../conversations/conversation.ts';
import type { LanguageOfFile } from '../language-servers/language-consent.ts';
import { LineUnusable, resolveLine } from '../lines/resolve-line.ts';
import type { PathVisit, Visit } from '../rules/judge-by-rules.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { isFileName, isProgramOutput, parseRef, type SlotRef, type SlotStore } from '../slots/slot.ts';
import type { ToolArguments } from '../manifests/tool-definition.ts';

export interface Reached {
  /** By argument: the landing of a path or directory, a map from path to landing for files, the number of a reference. */
  readonly targets: JsonObject;
  readonly paths: Facts['paths'];
  readonly inputs: Facts['inputs'];
  readonly writesThroughReference: Facts['writesThroughReference'];
  readonly assignsEnvironment: Facts['assignsEnvironment'];
  /** Every place of the workspace it names, for the rules: also where something about it could not be resolved. */
  readonly visits: readonly Visit[];
  /** What a line was compiled to; absent where the call has none. */
  readonly command?: CommandCandidate;
  /** The line is shown to do nothing but read what it names. */
  readonly proven: boolean;
  readonly problems: readonly string[];
}

export interface ReachSources {
  readonly conversations: Pick<ConversationStore, 'trustMap'>;
  readonly slots: Pick<SlotStore, 'refs'>;
  readonly sandbox: Pick<Sandbox, 'stat' | 'list' | 'programs'>;
  /** Absent: whatever would start a language server is asked about. */
  readonly languages?: LanguageOfFile;
  /** Of each path whether the rules deny reading it: a pattern of a line matches no such path. */
  isReadDenied(agent: BoundAgent, paths: readonly string[]): Promise<readonly boolean[]>;
}

const UNRESOLVED = {
  targets: {},
  paths: 'unknown',
  inputs: 'unknown',
  writesThroughReference: 'unknown',
  assignsEnvironment: 'unknown',
  proven: false,
} as const;

/**
 * An unknown tool reaches nothing: it is refused for being unknown.
 * @throws LineUnusable for a command line that is no plan: nothing about it can be decided.
 */
export const resolveReach = async (
  sources: ReachSources,
  manifest: ToolManifest | undefined,
  given: ToolArguments,
  agent: BoundAgent,
): Promise<Reached> => {
  const targets: Record<string, JsonValue> = {};
  const paths: PathFact[] = [];
  const inputs: InputFact[] = [];
  const visits: Visit[] = [];
  const reached = {
    ...{ targets, paths, inputs, visits },
    ...{ writesThroughReference: false, assignsEnvironment: false, proven: false, problems: [] },
  };
  let line: { readonly name: string; readonly text: string } | undefined;
  let directory = '';
  let isPlain = true;
  if (manifest === undefined) return reached;
  try {
    const visiting = async <T>(
      named: string,
      access: PathVisit['access'],
      find: () => Promise<[string, T]>,
    ): Promise<T> => {
      const at = visits.push({ named, access }) - 1;
      const [landing, found] = await find();
      visits[at] = { named, access, landing };
      return found;
    };
    const look = (path: string, access: PathFact['access']) =>
      visiting(path, access, async () => {
        const fact = await lookAt(sources, agent, path, access);
        return [fact.path, fact];
      });
    const refer = async (text: string): Promise<SlotRef> => {
      const number = parseRef(text);
      const [slot] = number === undefined ? [] : await sources.slots.refs(agent.conversationId, [number]);
      if (slot === undefined) throw new Fault('not_found', 'There is no such reference in this conversation.');
      if (slot.kind === 'remark') throw new Fault('invalid_argument', REMARK);
      return slot;
    };
    const carry = (name: string, { label, destination }: SlotRef): void => {
      inputs.push({ name, label, ...(destination === undefined ? {} : { destination }) });
    };
    /** A file the call is about: named, or meant by a reference whose name only the person sees. */
    const visit = async (name: string, reaches: Reach, path: string): Promise<void> => {
      const access = WRITING_REACHES.includes(reaches) ? 'write' : 'read';
      const fact = { ...(await look(path, access)), ...(reaches.startsWith('edit') ? { edits: true } : {}) };
      targets[name] = fact.path;
      paths.push(fact);
    };
    for (const [name, argument] of Object.entries(manifest.arguments)) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      switch (reachOf(argument)) {
        case 'nothing':
          break;
        case 'read_path':
        case 'write_path':
        case 'edit_path':
          if (value !== undefined) await visit(name, reachOf(argument), asText(name, value));
          break;
        case 'source_path': {
          if (value === undefined) {
            // Only what runs already is asked, so nothing is started.
            reached.proven = true;
            break;
          }
          await visit(name, 'read_path', asText(name, value));
          const landing = targets[name] as string;
          const server = sources.languages?.serverOf(landing);
          targets[`${name}_language`] = server?.language ?? '';
          reached.proven =
            sources.languages !== undefined &&
            (server === undefined || (await sources.languages.isAnswered(agent.conversationId, server.language)));
          break;
        }
        case 'read_path_ref':
        case 'write_path_ref':
        case 'edit_path_ref': {
          if (value === undefined) break;
          const slot = await refer(asText(name, value));
          if (!isFileName(slot)) throw new Fault('invalid_argument', NO_FILE_NAME);
          await visit(name, reachOf(argument), slot.path);
          reached.writesThroughReference ||= manifest.effect !== 'read';
          break;
        }
        case 'directory':
          targets[name] = await visiting(value === undefined ? '' : asText(name, value), 'read', async () => {
            const landing = value === undefined ? '' : (await sources.sandbox.stat(agent, asText(name, value))).landing;
            directory = landing;
            return [landing, landing];
          });
          break;
        case 'command_line':
          if (value !== undefined) line = { name, text: asText(name, value) };
          break;
        case 'input_files': {
          const landings = new Map<string, string>();
          for (const path of new Set(asTexts(name, value ?? []))) {
            const fact = await look(path, 'read');
            if (fact.revision === null) throw new Fault('not_found', MISSING_FILE);
            landings.set(path, fact.path);
            paths.push(fact);
            inputs.push({ name: fact.path, label: firstLabel({ kind: 'workspace_file', trust: known(fact.trust) }) });
          }
          if (value !== undefined) targets[name] = Object.fromEntries(landings);
          break;
        }
        case 'url':
          if (value === undefined) break;
          visits.push({ url: asText(name, value) });
          targets[name] = hostOf(asText(name, value));
          break;
        case 'environment':
          reached.assignsEnvironment ||= value !== undefined && Object.keys(asObject(name, value)).length > 0;
          break;
        case 'reference': {
          if (value === undefined) break;
          const slot = await refer(asText(name, value));
          targets[name] = slot.number;
          carry(asText(name, value), slot);
          // What a program reads is no place it writes to.
          if (manifest.runsCode) isPlain = false;
          reached.writesThroughReference ||= manifest.effect !== 'read' && !manifest.runsCode;
          break;
        }
        case 'references': {
          if (value === undefined) break;
          const numbers: number[] = [];
          for (const text of new Set(asTexts(name, value))) {
            const slot = await refer(text);
            numbers.push(slot.number);
            carry(text, slot);
          }
          targets[name] = numbers;
          reached.writesThroughReference ||= manifest.effect !== 'read';
          break;
        }
        case 'program_output_ref': {
          if (value === undefined) break;
          const slot = await refer(asText(name, value));
          if (!isProgramOutput(slot)) throw new Fault('invalid_argument', NO_PROGRAM_OUTPUT);
          targets[name] = slot.number;
          carry(asText(name, value), slot);
          break;
        }
      }
    }
    if (line === undefined) return reached;
    const resolved = await resolveLine(
      {
        sandbox: sources.sandbox,
        look: (path, access) => lookAt(sources, agent, path, access),
        isReadDenied: (found) => sources.isReadDenied(agent, found),
      },
      agent,
      { line: line.text, directory, plain: isPlain && !asksForLater(manifest, given) },
    );
    targets[line.name] = resolved.target;
    return {
      ...reached,
      paths: [...paths, ...resolved.paths],
      inputs: [...inputs, ...resolved.inputs],
      visits: [...visits, ...resolved.reads.map((read) => ({ ...read, access: 'read' as const }))],
      assignsEnvironment: reached.assignsEnvironment || resolved.assignsEnvironment,
      command: resolved.candidate,
      proven: resolved.proven,
    };
  } catch (error) {
    if (error instanceof LineUnusable) throw error;
    return { ...UNRESOLVED, visits, problems: [sentenceOf(error)] };
  }
};

/** What goes on after its answer has been given is not proven by what the files are now. */
const asksForLater = (manifest: ToolManifest, given: ToolArguments): boolean =>
  Object.hasOwn(manifest.arguments, 'background') && given['background'] === true;

/** What a person is asked about and an answer is bound to: the host as the program that fetches will read it. */
const hostOf = (url: string): string => {
  const host = hostOfUrl(url);
  if (host === undefined) throw new Fault('invalid_argument', 'The url is no http or https URL.');
  // Nobody who reads a number sees where it leads (D22).
  if (classifyHost(host).kind !== 'name')
    throw new Fault('invalid_argument', 'The url spells its host as an address. Name the host instead.');
  return host;
};

const REMARK = 'That reference is a remark of a processor to the person; it is no part of any file or call.';
const NO_FILE_NAME = 'That reference is no name of a file: only a name that list_files gave can stand for a file.';
const NO_PROGRAM_OUTPUT =
  'That reference is not what a program printed. For a file or a page ask with vet_content instead.';
const MISSING_FILE = 'A file that should go into the program does not exist. Use list_files to see what is there.';

const reachOf = (argument: ArgumentManifest) => argument.reaches ?? 'nothing';

/**
 * INVARIANT: trust is read after the revision. A write marks its path untrusted before it and trusted only after it, so a
 * mark read later can be that of newer bytes, and newer bytes have another revision, which the effect refuses. The other way
 * round an old mark would vouch for bytes it was never given for.
 */
const lookAt = async (
  { conversations, sandbox }: ReachSources,
  agent: BoundAgent,
  path: string,
  access: PathFact['access'],
): Promise<PathFact> => {
  const facts = await sandbox.stat(agent, path);
  const trust = await conversations.trustMap(agent.conversationId);
  const landing = facts.landing === '' ? path : facts.landing;
  return { path: landing, access, trust: lookUpTrust(trust, landing), revision: facts.exists ? facts.revision : null };
};

/** The schema said so already; a value of another shape must not pass for an argument that was left out. */
const misshapen = (name: string): Fault => new Fault('invalid_argument', `The argument ${name} has no readable value.`);

const asText = (name: string, value: JsonValue): string => {
  if (typeof value !== 'string') throw misshapen(name);
  return value;
};

const asTexts = (name: string, value: JsonValue): readonly string[] => {
  if (!Array.isArray(value)) throw misshapen(name);
  return value.map((item: JsonValue) => asText(name, item));
};

const asObject = (name: string, value: JsonValue): object => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw misshapen(name);
  return value;
};

const known = (trust: PathFact['trust']) => (trust === 'unknown' ? 'unmentioned' : trust);

/** What could not be read, in words that may be shown. */
export const sentenceOf = (error: unknown): string =>
  isFault(error) && error.row.public ? error.detail : 'Something the decision needs could not be read.';
