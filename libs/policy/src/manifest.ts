/** What a tool declares about itself, and the check that it left nothing out. Guarantees that an argument nobody classified is found before the tool is offered; it must never guess a class. */
import type { Label } from './label.ts';
import type { Effect, Mode, Permission } from './permissions.ts';

/**
 * Where an effect lands, and everything else that decides what happens (`routing`: places, program text, flags, numbers), or
 * what it carries (`content`). There is no third class.
 */
export type ArgumentClass = 'routing' | 'content';

/**
 * Where an argument leads, for whoever resolves it before the decision.
 * - `nothing`: it decides what happens and names no place.
 * - `read_path`, `write_path`: a file of the conversation's workspace, resolved to its landing and bound at its revision.
 * - `source_path`: a file of the workspace as `read_path`, about which the language server of its language is asked; starting one is
 *   answered for once per language and conversation.
 * - `directory`: a directory of the workspace; left out, the whole of it.
 * - `input_files`: a list of files of the workspace whose bytes go into the effect.
 * - `environment`: variables a program is started with.
 * - `edit_path`: a file changed in place: its present text decides where, so it must be vouched for.
 * - `read_path_ref`, `write_path_ref`, `edit_path_ref`: `ref:N` of a file's name that the planner was not shown; the same three
 *   places, named unseen.
 * - `reference`, `references`: `ref:N`, or a list; its words are the planner's, what it stands for is quarantined.
 * - `program_output_ref`: a reference to what a program printed, and to nothing else.
 * - `command_line`: a line that is compiled to a plan; the plan is what is judged, bound and carried out.
 * - `url`: an http or https address outside the platform, whose host rules and the person judge.
 */
export const REACHES = [
  'nothing',
  'read_path',
  'source_path',
  'write_path',
  'edit_path',
  'read_path_ref',
  'write_path_ref',
  'edit_path_ref',
  'directory',
  'input_files',
  'environment',
  'reference',
  'references',
  'program_output_ref',
  'command_line',
  'url',
] as const;
export type Reach = (typeof REACHES)[number];

/** A routing argument always says where it leads; content leads nowhere or is carried by reference. */
export type ArgumentManifest =
  | { readonly class: 'routing'; readonly reaches: Reach }
  /** `mustBePublic`: words that leave for somebody else to read, so never private ones. */
  | { readonly class: 'content'; readonly reaches?: 'reference'; readonly mustBePublic?: true };

/** Reaches that end at a file the effect writes. */
export const WRITING_REACHES: readonly Reach[] = ['write_path', 'edit_path', 'write_path_ref', 'edit_path_ref'];
/** Reaches that name something quarantined. */
export const REFERRING_REACHES: readonly Reach[] = [
  'reference',
  'references',
  'program_output_ref',
  'read_path_ref',
  'write_path_ref',
  'edit_path_ref',
];

/** The families of permission rules. `none`: no rule speaks about this tool, only lists and gates do. */
export type PermissionFamily = 'Read' | 'Edit' | 'Bash' | 'WebFetch' | 'Mcp' | 'none';

/**
 * How step 9 labels what comes back.
 * - `fixed`: always this label (a first-party row, a receipt in the broker's own words).
 * - `paths`: private, and trusted only if every path in the result is vouched for.
 * - `program_output`: (untrusted, private) unless every step was vouched for or proven, or a person let the planner read it (D1).
 * - `taint`: the taint of the inputs.
 * - `released`: what a person let through, (trusted, private); nothing without their answer.
 * - `answered`: a person's own words, as private as what they were asked.
 */
export type ResultLabelRule =
  | { readonly kind: 'fixed'; readonly label: Label }
  | { readonly kind: 'paths' }
  | { readonly kind: 'program_output' }
  | { readonly kind: 'taint' }
  | { readonly kind: 'released' }
  | { readonly kind: 'answered' };

/** What the tool asks by itself when nothing earlier decided: nothing, each time, or each time unless every step is vouched for, remembered or proven. */
export type DefaultGate = 'none' | 'every_time' | 'unless_proven';

export interface ToolLimits {
  /** What carrying it out may take, from its start; past it the call ends, and what it has begun is told to end. */
  readonly timeoutSeconds: number;
  /** Longest result the planner is given, in UTF-16 code units; the rest is cut and said. */
  readonly maxResultChars: number;
}

export interface ToolManifest {
  /** `[A-Za-z0-9_-]{1,64}`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** First-party manifests come with the release; a foreign one was written by an admin for an upstream MCP server. */
  readonly origin: 'first_party' | 'foreign';
  /** Every argument of the JSON schema by name, `why` included (content). */
  readonly arguments: Readonly<Record<string, ArgumentManifest>>;
  readonly family: PermissionFamily;
  readonly permission: Permission;
  readonly effect: Effect;
  /** Of a foreign tool alone: the MCP server it belongs to and what it is called there, as `Mcp(server:tool)` rules name it. */
  readonly upstream?: { readonly server: string; readonly tool: string };
  /** What it sends leaves the platform. */
  readonly external: boolean;
  /** It touches nothing but the conversation's own workspace. */
  readonly confined: boolean;
  /** It runs program text: needs `code_exec_enabled`, and its output falls under D1. */
  readonly runsCode: boolean;
  /** What it starts on the planner's word besides the effect itself; a fallen context may start none of it. */
  readonly starts: 'nothing' | 'question' | 'delegate' | 'model_call' | 'turn';
  readonly defaultGate: DefaultGate;
  readonly resultLabel: ResultLabelRule;
  /** Modes in which it can be offered at all, before the ceiling of the mode is looked at. */
  readonly modes: readonly Mode[];
  readonly limits: ToolLimits;
}
