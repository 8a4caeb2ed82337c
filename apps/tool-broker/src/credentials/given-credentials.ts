/** Looks for credentials in the words of a call that has an effect. Guarantees that what a refused call is recorded with holds none of them. */
import type { CredentialFact, JsonObject, JsonValue, ToolManifest } from '@bravo/policy';
import type { CredentialScanner, FoundCredential } from './credential.ts';

export interface GivenCredentials {
  readonly facts: readonly CredentialFact[];
  /** The arguments with a word in the place of each; undefined where there is none. */
  readonly masked: JsonObject | undefined;
}

const NONE: GivenCredentials = { facts: [], masked: undefined };

/** Of a read that stays here the words are a path or a pattern, and go nowhere. */
const isLookedThrough = ({ effect, external, runsCode, origin }: ToolManifest): boolean =>
  effect !== 'read' || external || runsCode || origin === 'foreign';

interface Words {
  readonly path: readonly string[];
  readonly text: string;
}

interface FoundWords extends Words {
  readonly found: readonly FoundCredential[];
}

export const findGivenCredentials = async (
  scanner: CredentialScanner,
  manifest: ToolManifest | undefined,
  given: JsonObject,
): Promise<GivenCredentials> => {
  if (manifest === undefined || !isLookedThrough(manifest)) return NONE;
  const { why: _why, ...input } = given;
  const all = await Promise.all(wordsOf(input, []).map((words) => look(scanner, words)));
  // What an edit replaces stands in the file already: moving it writes nothing new down.
  const there = new Set(all.filter(isReplaced).flatMap(valuesOf));
  const carried = all
    .filter((words) => !isReplaced(words))
    .map((words) => ({ ...words, found: words.found.filter((one) => !there.has(valueOf(words, one))) }));
  const facts = carried.flatMap((words) => words.found.map((one) => factOf(words, one)));
  if (facts.length === 0) return NONE;
  return { facts, masked: mask(input, [], new Map(all.map((words) => [keyOf(words.path), words]))) as JsonObject };
};

/** Every credential in it masked, whatever tool it was meant for: what is refused before it is judged is recorded, too. */
export const maskCredentials = async (scanner: CredentialScanner, given: JsonObject): Promise<JsonObject> => {
  const all = await Promise.all(wordsOf(given, []).map((words) => look(scanner, words)));
  return mask(given, [], new Map(all.map((words) => [keyOf(words.path), words]))) as JsonObject;
};

const isReplaced = ({ path }: Words): boolean => path.at(-1) === 'old_text';
const valueOf = ({ text }: Words, { start, end }: FoundCredential): string => text.slice(start, end);
const valuesOf = (words: FoundWords): readonly string[] => words.found.map((one) => valueOf(words, one));

const wordsOf = (value: JsonValue, path: readonly string[]): readonly Words[] => {
  if (typeof value === 'string') return value === '' ? [] : [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => wordsOf(member as JsonValue, [...path, name]));
};

/** A member of an object is looked at with its name, which may be what calls it a secret. */
const look = async (scanner: CredentialScanner, words: Words): Promise<FoundWords> => {
  const before = words.path.length > 1 ? `${words.path.at(-1) ?? ''}=` : '';
  const found = await scanner.scan(before + words.text);
  return {
    ...words,
    found: found
      .filter(({ end }) => end > before.length)
      .map((one) => ({ ...one, start: Math.max(0, one.start - before.length), end: one.end - before.length })),
  };
};

const factOf = ({ path, text }: Words, { kind, certainty, start }: FoundCredential): CredentialFact => ({
  at: 'given',
  kind,
  // The names of members are the agent's words: the argument's own is the manifest's.
  place: `${path[0] ?? ''}${text.includes('\n') ? `, line ${lineAt(text, start)}` : ''}`,
  declared: certainty === 'declared',
});

/** Counted from 1. */
export const lineAt = (text: string, offset: number): number => {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
};

const keyOf = (path: readonly string[]): string => JSON.stringify(path);

const mask = (value: JsonValue, path: readonly string[], found: ReadonlyMap<string, FoundWords>): JsonValue => {
  if (typeof value === 'string') return maskText(value, found.get(keyOf(path))?.found ?? []);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((member, at) => mask(member, [...path, String(at)], found));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, mask(member as JsonValue, [...path, name], found)]),
  );
};

const maskText = (text: string, found: readonly FoundCredential[]): string =>
  [...found]
    .reverse()
    .reduce((masked, { kind, start, end }) => `${masked.slice(0, start)}[${kind}]${masked.slice(end)}`, text);
