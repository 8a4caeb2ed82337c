/** Looks for lines in the files of one conversation with an engine that cannot hang; says of every way in which the answer is not the whole one. */
import type { FileHandle } from 'node:fs/promises';
import { Fault } from '@bravo/faults';
import { compileGlob, type Glob, LIMITS, readSearchPattern, type SearchPattern } from '@bravo/policy';
import type { ToolAnswer, ToolRequest } from '@bravo/workspace-files';
import { namesIn } from './list-directory.ts';
import { prefixOf, type Volume } from './volume.ts';
import { inDirectory, lookAt, openFile } from './walk.ts';

type Match = ToolAnswer<'search'>['matches'][number];
type Partial = ToolAnswer<'search'>['partial'][number];

const MOST_FILE_BYTES = 8 * 1024 * 1024;
const MOST_LINE_CHARACTERS = LIMITS['search-line-chars'].value;
const MOST_SECONDS = LIMITS['search-seconds'].value;
const MOST_FILES = LIMITS['search-files'].value;
/** A line beyond this is matched by its beginning only. */
const MOST_MATCHED_CHARACTERS = 16 * 1024;
/** Version control, build output, caches and what others wrote: by name alone, because a tree that hides files from a search hides them from review. */
const NOT_WALKED = new Set(
  ['.git', '.hg', '.svn', 'node_modules', 'vendor', 'dist', 'build', 'target', '.cache', '__pycache__'].concat([
    '.venv',
    'venv',
    '.tox',
    '.mypy_cache',
    '.pytest_cache',
    '.gradle',
    '.next',
    '.nx',
    '.turbo',
    'coverage',
  ]),
);
const YIELD_EVERY_LINES = 2_000;

class Finding {
  readonly matches: Match[] = [];
  readonly partial = new Set<Partial>();
  searched = 0;
  skipped = 0;
  nextOffset = 0;
  seen = 0;
  #walked = 0;
  readonly #deadline: number;
  readonly #pattern: SearchPattern;
  readonly #glob: Glob | undefined;
  readonly #asked: ToolRequest<'search'>;

  constructor(asked: ToolRequest<'search'>, pattern: SearchPattern, glob: Glob | undefined, now: number) {
    this.#asked = asked;
    this.#pattern = pattern;
    this.#glob = glob;
    this.#deadline = now + MOST_SECONDS * 1_000;
  }

  /** False when the search is over. Files of a directory come before what is below it, each in order. */
  async walk(directory: FileHandle, before: string): Promise<boolean> {
    const below: string[] = [];
    for (const name of await namesIn(directory)) {
      const { kind, size } = await lookAt(directory, name);
      if (kind === 'directory' && !NOT_WALKED.has(name)) below.push(name);
      if (kind !== 'file') continue;
      this.#walked += 1;
      if (this.#walked > MOST_FILES) return this.#stop('files');
      if (Date.now() > this.#deadline) return this.#stop('time');
      const path = before + name;
      if (this.#glob && !this.#glob.selects(path, this.#asked.directory)) continue;
      if (!(await this.#searchFile(directory, name, path, size))) return false;
    }
    for (const name of below) {
      const going = await inDirectory(directory, [name], (next) => this.walk(next, `${before}${name}/`));
      if (going === false) return false;
    }
    return true;
  }

  async #searchFile(directory: FileHandle, name: string, path: string, size: number): Promise<boolean> {
    const bytes = size > MOST_FILE_BYTES ? undefined : await readWhole(directory, name);
    if (bytes === undefined || bytes.subarray(0, LIMITS['read-sniff'].value).includes(0)) {
      this.skipped += 1;
      return true;
    }
    this.searched += 1;
    let line = 0;
    for (const text of bytes.toString('utf8').split('\n')) {
      line += 1;
      if (line % YIELD_EVERY_LINES === 0) {
        if (Date.now() > this.#deadline) return this.#stop('time');
        await new Promise(setImmediate);
      }
      if (!this.#pattern.matches(text.replace(/\r$/, '').slice(0, MOST_MATCHED_CHARACTERS))) continue;
      this.seen += 1;
      if (this.seen <= this.#asked.offset) continue;
      if (this.matches.length >= this.#asked.maxMatches) {
        this.nextOffset = this.seen - 1;
        return this.#stop('matches');
      }
      this.matches.push({ path, line, text: text.slice(0, MOST_LINE_CHARACTERS) });
    }
    return true;
  }

  #stop(why: Partial): boolean {
    this.partial.add(why);
    return false;
  }
}

/** Undefined for what cannot be read; a link is not followed. */
const readWhole = async (directory: FileHandle, name: string): Promise<Buffer | undefined> => {
  const file = await openFile(directory, name).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    if (!(await file.stat()).isFile()) return undefined;
    return await file.readFile();
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
};

/** Throws `invalid_argument` for a pattern that is refused, `not_found` where no directory is. */
export const searchFiles = async (volume: Volume, asked: ToolRequest<'search'>): Promise<ToolAnswer<'search'>> => {
  const reading = readSearchPattern(asked.patterns, { caseSensitive: asked.caseSensitive });
  if (!reading.ok) throw new Fault('invalid_argument', reading.refusal.text);
  const glob = asked.include === '' ? undefined : compileGlob(asked.include);
  const maxMatches = Math.min(Math.max(1, asked.maxMatches), LIMITS['search-matches'].value);
  const { finding, landing } = await volume.inDirectory(asked.directory, async (handle, directory) => {
    const searching = new Finding({ ...asked, directory, maxMatches }, reading.pattern, glob, Date.now());
    await searching.walk(handle, prefixOf(directory));
    return { finding: searching, landing: directory };
  });
  return {
    landing,
    matches: finding.matches,
    nextOffset: finding.nextOffset,
    matchesSeen: finding.seen,
    filesSearched: finding.searched,
    filesSkipped: finding.skipped,
    partial: [...finding.partial],
  };
};
