/** Refuses a manifest that leaves something open. Guarantees that every argument of the schema is classified exactly once; it must never fill a gap in by itself. */
import { type ArgumentManifest, REACHES, type ToolManifest, WRITING_REACHES } from './manifest.ts';
import { isMode, isPermission } from './permissions.ts';

/** The part of a tool's JSON schema this check looks at. */
export interface InputSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly additionalProperties?: unknown;
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const FAMILIES: readonly string[] = ['Read', 'Edit', 'Bash', 'WebFetch', 'Mcp', 'none'];
const EFFECTS: readonly string[] = ['read', 'write', 'destructive'];
const GATES: readonly string[] = ['none', 'every_time', 'unless_proven'];
const RULES: readonly string[] = ['fixed', 'paths', 'program_output', 'taint', 'released', 'answered'];

/** What is wrong with a manifest, one sentence each; empty when it may be offered. */
export function checkManifest(manifest: ToolManifest, schema: InputSchema): readonly string[] {
  return [...checkArguments(manifest, schema), ...checkProperties(manifest)].map(
    (problem) => `Tool ${manifest.name}: ${problem}`,
  );
}

function checkArguments(manifest: ToolManifest, schema: InputSchema): readonly string[] {
  const problems: string[] = [];
  const declared = new Set(Object.keys(schema.properties ?? {}));
  const classified = new Map(Object.entries(manifest.arguments));
  for (const name of declared) {
    if (!classified.has(name))
      problems.push(`argument "${name}" is not classified; say routing or content in its manifest.`);
  }
  for (const [name, argument] of classified) {
    if (argument.class !== 'routing' && argument.class !== 'content') {
      problems.push(`argument "${name}" has a class that does not exist; it is routing or content.`);
    }
    problems.push(...checkReach(manifest, name, argument));
    if (!declared.has(name))
      problems.push(`argument "${name}" is classified but not in the input schema; remove one or add the other.`);
    if (name === 'approved') problems.push('no argument may be called "approved"; a client could fill it in.');
  }
  if (classified.get('why')?.class !== 'content') problems.push('it must take "why" as content.');
  if (schema.additionalProperties !== false) {
    problems.push(
      'its input schema must set additionalProperties to false, or a caller could pass an argument nobody classified.',
    );
  }
  return problems;
}

/** A place nobody resolves is a place nobody judges. */
function checkReach(manifest: ToolManifest, name: string, argument: ArgumentManifest): readonly string[] {
  const reaches: string | undefined = argument.reaches;
  if (argument.class === 'routing' && reaches === undefined)
    return [`argument "${name}" is routing and does not say where it leads; give it "reaches".`];
  if (reaches !== undefined && !(REACHES as readonly string[]).includes(reaches))
    return [`argument "${name}" reaches a kind of place that does not exist.`];
  if (argument.class === 'content' && reaches !== undefined && reaches !== 'reference')
    return [`argument "${name}" leads somewhere, so it is routing.`];
  if (isWriting(argument) && manifest.effect === 'read')
    return [`argument "${name}" is written to, so its effect is not a read.`];
  if (reaches === 'url' && !manifest.external)
    return [`argument "${name}" is an address outside, so the tool is external.`];
  if (reaches === 'command_line' && !(manifest.runsCode && manifest.family === 'Bash'))
    return [`argument "${name}" is a line of programs, so the tool runs code and is of the family Bash.`];
  if (reaches === 'environment' && !manifest.runsCode)
    return [`argument "${name}" sets the environment of a program and the tool runs none.`];
  return [];
}

function checkProperties(manifest: ToolManifest): readonly string[] {
  const problems: string[] = [];
  if (!NAME.test(manifest.name)) problems.push('its name must be 1 to 64 of A-Z, a-z, 0-9, _ and -.');
  if (!isPermission(manifest.permission)) problems.push('its permission is none of the 17 names.');
  if (!FAMILIES.includes(manifest.family)) problems.push('its permission family does not exist.');
  if (!EFFECTS.includes(manifest.effect)) problems.push('its effect must be read, write or destructive.');
  if (!GATES.includes(manifest.defaultGate)) problems.push('its default gate does not exist.');
  if (!RULES.includes(manifest.resultLabel.kind)) problems.push('its result label rule does not exist.');
  if (manifest.modes.length === 0 || !manifest.modes.every(isMode))
    problems.push('its modes must be some of ask, coworker and voice.');
  if (manifest.confined && manifest.external)
    problems.push('it cannot be both confined to the workspace and external.');
  if (manifest.origin === 'foreign' && manifest.confined)
    problems.push('a foreign tool is never confined to the workspace.');
  if (manifest.origin === 'foreign' && manifest.defaultGate !== 'every_time')
    problems.push('a foreign tool asks every time.');
  problems.push(...checkUpstream(manifest));
  if (manifest.family === 'WebFetch' && !Object.values(manifest.arguments).some(({ reaches }) => reaches === 'url'))
    problems.push('it fetches, so one of its arguments reaches a "url".');
  if (manifest.family === 'Edit' && !Object.values(manifest.arguments).some(isWriting))
    problems.push('it edits, so one of its arguments reaches a "write_path" or an "edit_path".');
  if (manifest.runsCode && manifest.effect === 'read') problems.push('what runs code is not a read.');
  if (!(manifest.limits.timeoutSeconds > 0) || !(manifest.limits.maxResultChars > 0)) {
    problems.push('its limits must be above zero; there is no "unlimited".');
  }
  return problems;
}

function isWriting({ reaches }: ArgumentManifest): boolean {
  return reaches !== undefined && WRITING_REACHES.includes(reaches);
}

/** Rules name a foreign tool by its server: one without would be reached by no `Mcp` rule. */
function checkUpstream({ origin, family, upstream }: ToolManifest): readonly string[] {
  if (origin !== 'foreign')
    return upstream === undefined && family !== 'Mcp' ? [] : ['only a foreign tool belongs to an MCP server.'];
  if (family === 'Mcp' && upstream !== undefined && upstream.server !== '' && upstream.tool !== '') return [];
  return ['a foreign tool is of the family Mcp and names its server and its tool there ("upstream").'];
}
