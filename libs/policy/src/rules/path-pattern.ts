/** A path specifier as segments. Guarantees that `*` stays in its segment and `**` crosses them, in time bound by pattern times path; it must never let a relative pattern reach an absolute path or the other way round. */
import { matchesText, readTextPattern, type TextPattern } from './text-pattern.ts';

/** `**` as a whole segment: any number of segments, none included. */
export const ANY_DEPTH = '**';
export type PatternSegment = TextPattern | typeof ANY_DEPTH;

export interface PathPattern {
  readonly absolute: boolean;
  readonly segments: readonly PatternSegment[];
}

/** Where a specifier may begin. Null or undefined: there is no such place. */
export interface PathAnchors {
  readonly home: string | null | undefined;
  readonly settingsDir: string | null | undefined;
  /** On a host whose paths are separated by backslashes too. */
  readonly backslashSeparates: boolean;
}

export interface ReadPath {
  /** As the rule grants: where it says and nowhere else. */
  readonly strict: PathPattern;
  /** As the rule restricts: further patterns it also covers. */
  readonly loose: readonly PathPattern[];
  /** Names one file and no other. */
  readonly exact: boolean;
}

/** The patterns a specifier stands for, or nothing where its anchor leads nowhere. */
export function readPathPattern(specifier: string, anchors: PathAnchors): ReadPath | undefined {
  const spelled = anchors.backslashSeparates ? specifier.replaceAll('\\', '/') : specifier;
  if (spelled.startsWith('//')) return anchoredAt('/', spelled);
  if (spelled.startsWith('/')) return anchoredAt(anchors.settingsDir, spelled);
  if (spelled === '~' || spelled.startsWith('~/')) return anchoredAt(anchors.home, spelled.slice(1));
  // Somebody else's home is known to nobody here.
  if (spelled.startsWith('~')) return undefined;
  return relative(spelled);
}

function anchoredAt(place: string | null | undefined, rest: string): ReadPath | undefined {
  if (!place) return undefined;
  const root = place.replaceAll('\\', '/');
  if (!isAbsolute(root)) return undefined;
  // The anchor is a place and no pattern, whatever characters its name has.
  const base: PatternSegment[] = splitPath(root).map((segment) => [segment]);
  const segments = resolveDots([...base, ...readSegments(rest)], true);
  const pattern: PathPattern = { absolute: true, segments };
  return { strict: pattern, loose: [pattern, ...asDirectory(pattern, rest)], exact: isLiteral(segments) };
}

function relative(spelled: string): ReadPath {
  const segments = resolveDots(readSegments(spelled), false);
  const asWritten: PathPattern = { absolute: false, segments };
  const anywhere: PathPattern = { absolute: false, segments: collapse([ANY_DEPTH, ...segments]) };
  const [first, second] = segments;
  const isOneSegment = segments.length === 1 || (segments.length === 2 && second === ANY_DEPTH);
  const floats = first !== undefined && first !== ANY_DEPTH && isOneSegment;
  // A name without a slash is met at any depth in every list; a name with one only where the rule restricts.
  const isName = !spelled.includes('/');
  const strict = isName && segments.length === 1 ? anywhere : asWritten;
  const loose = [asWritten, ...(floats ? [anywhere] : [])];
  return {
    strict,
    loose: [...loose, ...loose.flatMap((pattern) => asDirectory(pattern, spelled))],
    exact: !isName && isLiteral(segments),
  };
}

/** `logs/` is the directory and, where a rule restricts, what is in it. */
function asDirectory(pattern: PathPattern, spelled: string): readonly PathPattern[] {
  if (!spelled.endsWith('/')) return [];
  return [{ absolute: pattern.absolute, segments: collapse([...pattern.segments, ANY_DEPTH]) }];
}

function readSegments(text: string): PatternSegment[] {
  return collapse(splitPath(text).map((segment) => (segment === ANY_DEPTH ? ANY_DEPTH : readTextPattern(segment))));
}

/** Segments of a path; doubled slashes and single dots are spelling. */
export function splitPath(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.');
}

export function isAbsolute(path: string): boolean {
  return path.startsWith('/') || hasDrive(path);
}

function hasDrive(path: string): boolean {
  const letter = path.charAt(0).toLowerCase();
  return letter >= 'a' && letter <= 'z' && path.charAt(1) === ':' && path.charAt(2) === '/';
}

function collapse(segments: readonly PatternSegment[]): PatternSegment[] {
  return segments.filter((segment, at) => segment !== ANY_DEPTH || segments[at - 1] !== ANY_DEPTH);
}

/** `..` after a plain name takes the name back; at the front of a relative pattern it stays, and above the root there is nothing. */
function resolveDots(segments: readonly PatternSegment[], absolute: boolean): PatternSegment[] {
  const resolved: PatternSegment[] = [];
  for (const segment of segments) {
    const before = resolved[resolved.length - 1];
    if (!isParent(segment)) resolved.push(segment);
    else if (before !== undefined && before !== ANY_DEPTH && !isParent(before)) resolved.pop();
    else if (!absolute || before === ANY_DEPTH) resolved.push(segment);
  }
  return resolved;
}

function isParent(segment: PatternSegment | undefined): boolean {
  return segment !== undefined && segment !== ANY_DEPTH && segment.length === 1 && segment[0] === '..';
}

function isLiteral(segments: readonly PatternSegment[]): boolean {
  return segments.every((segment) => segment !== ANY_DEPTH && segment.length === 1);
}

/** Whether the pattern covers exactly these segments. `fits` says whether one segment covers one name. */
export function matchesSegments(
  pattern: readonly PatternSegment[],
  path: readonly string[],
  fits: (segment: TextPattern, name: string) => boolean = matchesText,
): boolean {
  let place = 0;
  let item = 0;
  let lastRun = -1;
  let lastStart = 0;
  while (item < path.length) {
    const segment = pattern[place];
    if (segment === ANY_DEPTH) {
      lastRun = place;
      lastStart = item;
      place += 1;
    } else if (segment !== undefined && fits(segment, path[item] ?? '')) {
      place += 1;
      item += 1;
    } else if (lastRun >= 0) {
      lastStart += 1;
      place = lastRun + 1;
      item = lastStart;
    } else return false;
  }
  while (pattern[place] === ANY_DEPTH) place += 1;
  return place === pattern.length;
}

/** As a volume that folds case would compare two names. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

export function foldPattern(pattern: PathPattern): PathPattern {
  const segments = pattern.segments.map((segment) => (segment === ANY_DEPTH ? segment : segment.map(foldCase)));
  return { absolute: pattern.absolute, segments };
}
