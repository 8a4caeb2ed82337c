/** The glob dialect of `list_files` and `search`. Guarantees that anything but `*`, `?`, `**` and brace groups is plain text and that no pattern costs more than its length; it must never read a path's case or encoding as anything but written. */
import { expandBraces } from './expand-braces.ts';
import { type GlobSegments, matchesSegments, segmentGlob, segmentPath, type StepMeter } from './match-segments.ts';
import { nameUnsupported, type UnsupportedGlobSyntax } from './name-unsupported.ts';

export interface Glob {
  readonly text: string;
  /** Syntax of other dialects it leans on, to be named where nothing was selected. */
  readonly unsupported: readonly UnsupportedGlobSyntax[];
  /** Its brace groups stand for more words than the limit, so all of it is plain text; to be said where nothing was selected. */
  readonly tooManyWords: boolean;
  /**
   * Whether it selects `path` (from the root of the workspace, no leading slash), which lies below `directory` (same spelling;
   * '' or '.' is the root). Without a slash a word is compared with the last segment; with one it may be written from the
   * directory or from the root.
   */
  selects(path: string, directory?: string, meter?: StepMeter): boolean;
}

export function compileGlob(text: string): Glob {
  const { words, tooMany } = expandBraces(text);
  const selectors = words.map((word) => (tooMany ? selectText(word) : selectWord(segmentGlob(word))));
  return {
    text,
    unsupported: nameUnsupported(text),
    tooManyWords: tooMany,
    selects: (path, directory = '', meter = { steps: 0 }) => {
      const below = pathBelow(path, directory);
      return selectors.some((selects) => selects(path, below, meter));
    },
  };
}

/** `below` is the path as written from the directory; undefined where it does not lie below it. */
type Selector = (path: string, below: string | undefined, meter: StepMeter) => boolean;

function selectWord(segments: GlobSegments): Selector {
  if (segments.length === 1) {
    return (path, _below, meter) => matchesSegments(segments, [[...lastSegment(path)]], meter);
  }
  return (path, below, meter) =>
    matchesSegments(segments, segmentPath(path), meter) ||
    (below !== undefined && below !== path && matchesSegments(segments, segmentPath(below), meter));
}

function selectText(text: string): Selector {
  if (!text.includes('/')) return (path) => lastSegment(path) === text;
  return (path, below) => path === text || below === text;
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function pathBelow(path: string, directory: string): string | undefined {
  const root = directory.replace(/^\.\//, '').replace(/\/$/, '');
  if (root === '' || root === '.') return path;
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : undefined;
}
