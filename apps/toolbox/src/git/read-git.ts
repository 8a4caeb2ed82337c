/** Answers one query about a repository from its files. Guarantees that no program runs, nothing it configures is followed, and each part of the answer says which files it shows. */
import { Fault } from '@bravo/faults';
import { LIMITS, readSearchPattern } from '@bravo/policy';
import { flawOfPath, shown, type ToolAnswer, type ToolRequest } from '@bravo/workspace-files';
import type { Volume } from '../files/volume.ts';
import { declined, GitFiles } from './git-files.ts';
import { isLarge, Objects } from './objects.ts';
import { compareVersions } from './order-versions.ts';
import { DIRECTORY, parseTag, parseTree, SUBMODULE } from './parse-objects.ts';
import { readStatus } from './read-status.ts';
import { References } from './references.ts';
import { Revisions } from './revisions.ts';
import { contentOf, isBinary, quoted, showChange } from './show-change.ts';
import { commitHead, logLine, tagHead } from './show-commit.ts';
import { diffTrees, entryAt, filesOf } from './trees.ts';
import { type HistoryParts, reachable, walkHistory } from './walk-history.ts';

type Asked = ToolRequest<'git'>;
type Answer = ToolAnswer<'git'>;

const MOST_SECONDS = LIMITS['search-seconds'].value;
const MOST_LINES = 2_000;
const MOST_BYTES = 2 * 1024 * 1024;

/** What is shown, part by part, until there is no room for more. */
class Parts {
  readonly sections: { paths: string[]; text: string }[] = [];
  readonly notes: string[] = [];
  next = 0;
  #lines = 0;
  #bytes = 0;

  /** False where it no longer fits whole; `cut`: as much of it as fits is shown, and that is said. */
  add(paths: readonly string[], text: string, cut: boolean): boolean {
    const lines = text.split('\n').length - 1;
    if (this.#lines + lines <= MOST_LINES && this.#bytes + text.length <= MOST_BYTES) {
      this.#lines += lines;
      this.#bytes += text.length;
      this.sections.push({ paths: [...paths], text });
      return true;
    }
    if (cut) {
      const fitting = text
        .slice(0, MOST_BYTES - this.#bytes)
        .split('\n')
        .slice(0, MOST_LINES - this.#lines);
      if (fitting.length > 0) this.sections.push({ paths: [...paths], text: `${fitting.join('\n')}\n` });
      this.notes.push(`The answer was cut at ${MOST_LINES} lines. Name a path to see the rest.`);
    }
    return false;
  }
}

interface Query extends HistoryParts {
  readonly asked: Asked;
  readonly references: References;
  readonly parts: Parts;
}

const unfit = (field: string, why: string): Fault => new Fault('invalid_argument', why, { meta: { field } });

/** `A..B`, or `A B` where two may be given. */
const rangeOf = (revision: string): [string, string] | undefined => {
  const [, from, to] = /^(.*?)(?:\.\.| +)(.*)$/.exec(revision.trim()) ?? [];
  if (from === undefined || to === undefined) return undefined;
  if (to.startsWith('.')) throw unfit('revision', 'A...B is not taken. Write A..B.');
  return [from === '' ? 'HEAD' : from, to === '' ? 'HEAD' : to];
};

const dayIn = (field: string, text: string, end: boolean): number => {
  const at = Date.parse(`${text}T${end ? '23:59:59' : '00:00:00'}Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(at)) throw unfit(field, `${field} is a day as YYYY-MM-DD.`);
  return at / 1_000;
};

const log = async ({ asked, revisions, parts, ...history }: Query): Promise<void> => {
  const { revision, path, count, skip, messages, since, until } = asked;
  const range = rangeOf(revision);
  const whole = { ...history, revisions };
  const to = await revisions.resolveCommit(range?.[1] ?? (revision === '' ? 'HEAD' : revision));
  const without =
    range === undefined ? new Set<string>() : await reachable(whole, await revisions.resolveCommit(range[0]));
  const [after, before] = [
    since === '' ? -Infinity : dayIn('since', since, false),
    until === '' ? Infinity : dayIn('until', until, true),
  ];
  let seen = 0;
  for await (const commit of walkHistory(whole, to, without, path)) {
    const { seconds } = commit.committer;
    if (seconds < after || seconds > before) continue;
    seen += 1;
    if (seen <= skip) continue;
    // A page holds whole commits; one that is longer than a page alone is cut.
    if (seen > skip + count || !parts.add([], logLine(commit, messages), seen === skip + 1)) {
      parts.next = seen - 1;
      return;
    }
  }
};

const changes = async ({ asked, objects, parts, files }: Query, before: string, after: string): Promise<void> => {
  for await (const change of diffTrees(objects, before, after, asked.path)) {
    files.checkTime();
    if (!parts.add([change.path], await showChange(objects, change), true)) return;
  }
};

const showCommit = async (query: Query, id: string): Promise<void> => {
  const commit = await query.revisions.commit(id);
  query.parts.add([], commitHead(commit), true);
  const [first, ...others] = commit.parents;
  if (others.length > 0) {
    query.parts.notes.push(
      `A merge is shown without a diff. Ask for the diff ${commit.parents.map((parent) => `${parent.slice(0, 10)}..${id.slice(0, 10)}`).join(' or ')}.`,
    );
    return;
  }
  query.parts.add([], '\n', false);
  await changes(query, first === undefined ? '' : (await query.revisions.commit(first)).tree, commit.tree);
  // Nothing to be parted from.
  if (query.parts.sections.at(-1)?.text === '\n') query.parts.sections.pop();
};

/** As git lists a tree: quoted only where a name would break its line. */

const plain = (name: string): string => (/[\u0000-\u001f\u007f]/.test(name) ? quoted(name) : name);

const showPlace = async (query: Query, revision: string, place: string): Promise<void> => {
  const { objects, revisions, parts } = query;
  const flaw = flawOfPath(place);
  if (flaw !== undefined) throw unfit('revision', `The path ${shown(place)} ${flaw}.`);
  const path = place
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
  const entry = await entryAt(objects, (await revisions.resolveCommit(revision === '' ? 'HEAD' : revision)).tree, path);
  if (entry === undefined) throw new Fault('not_found', `There is no ${shown(path)} at that revision.`);
  if (entry.mode === DIRECTORY) {
    parts.add([], `tree ${plain(`${revision}:${place}`)}\n\n`, true);
    for (const { name, mode } of parseTree(await objects.need(entry.id, 'tree'))) {
      const whole = path === '' ? name : `${path}/${name}`;
      if (!parts.add([whole], `${plain(name)}${mode === DIRECTORY ? '/' : ''}\n`, true)) return;
    }
    return;
  }
  const content = await contentOf(objects, entry);
  if (content.kind === 'large') parts.notes.push(`The file has ${content.size} bytes, which is too large to be shown.`);
  else if (content.kind === 'binary') parts.notes.push('The file is not text.');
  else parts.add([path], content.text, true);
};

const show = async (query: Query): Promise<void> => {
  const { asked, objects, revisions, parts } = query;
  const revision = asked.revision === '' ? 'HEAD' : asked.revision;
  const colon = revision.indexOf(':');
  if (colon >= 0) return showPlace(query, revision.slice(0, colon), revision.slice(colon + 1));
  let id = await revisions.resolve(revision);
  for (let step = 0; step < 20; step += 1) {
    const object = await objects.read(id);
    if (object.kind === 'commit') return showCommit(query, id);
    if (object.kind !== 'tag' || isLarge(object))
      throw unfit('revision', `The revision is a ${object.kind}. Name a commit, a tag or <revision>:<path>.`);
    const tag = parseTag(object.bytes);
    parts.add([], tagHead(tag), true);
    id = tag.object;
  }
};

const diff = async (query: Query): Promise<void> => {
  const range = rangeOf(query.asked.revision);
  if (range === undefined)
    throw unfit('revision', 'diff takes two revisions, as A..B or A B. For changes of the working tree use run.');
  const [before, after] = [
    await query.revisions.resolveCommit(range[0]),
    await query.revisions.resolveCommit(range[1]),
  ];
  await changes(query, before.tree, after.tree);
};

const tags = async ({ asked, references, revisions, parts, ...history }: Query): Promise<void> => {
  const { revision, count, skip } = asked;
  const all = await references.tags();
  const whole = { ...history, revisions };
  const reached = revision === '' ? undefined : await reachable(whole, await revisions.resolveCommit(revision));
  const names: string[] = [];
  for (const { name, id } of all) {
    const commit = reached === undefined ? undefined : await revisions.commit(id).catch(() => undefined);
    if (reached === undefined || (commit !== undefined && reached.has(commit.id))) names.push(name);
  }
  names.sort((a, b) => -compareVersions(a, b));
  const page = names.slice(skip, skip + count);
  for (const name of page) parts.add([], `${name}\n`, true);
  if (skip + page.length < names.length) parts.next = skip + page.length;
};

const search = async ({ asked, objects, revisions, parts, files }: Query): Promise<string[]> => {
  const revision = asked.revision === '' ? 'HEAD' : asked.revision;
  const reading = readSearchPattern([asked.pattern], { caseSensitive: true });
  if (!reading.ok) throw unfit('pattern', reading.refusal.text);
  const read: string[] = [];
  let [seen, skipped] = [0, 0];
  for await (const { path, mode, id } of filesOf(objects, (await revisions.resolveCommit(revision)).tree, asked.path)) {
    if (files.timeIsUp) {
      parts.notes.push(
        'The time for a search ran out before every file was read: this is not everything. Name a path.',
      );
      return read;
    }
    if (mode === SUBMODULE) continue;
    const object = await objects.read(id, LIMITS['git-file-size'].value);
    if (isLarge(object) || isBinary(object.bytes)) {
      skipped += 1;
      continue;
    }
    read.push(path);
    let line = 0;
    for (const text of object.bytes.toString('utf8').replace(/\n$/, '').split('\n')) {
      line += 1;
      if (!reading.pattern.matches(text.replace(/\r$/, '').slice(0, 16 * 1024))) continue;
      seen += 1;
      if (seen <= asked.skip) continue;
      if (
        seen > asked.skip + asked.count ||
        !parts.add([path], `${revision}:${quoted(path)}:${line}:${text}\n`, seen === asked.skip + 1)
      ) {
        parts.next = seen - 1;
        return read;
      }
    }
  }
  if (skipped > 0) parts.notes.push(`${skipped} files were not searched: too large, or no text.`);
  return read;
};

const status = async (query: Query): Promise<void> => {
  const head = await query.references.find('HEAD');
  const tree = head === undefined ? undefined : (await query.revisions.commit(head)).tree;
  for (const { path, text } of await readStatus(query, tree, query.asked.path))
    if (!query.parts.add([path], `${text}\n`, true)) return;
};

/** @throws Fault not_found, invalid_argument, conflict for a repository that is declined or damaged, resource_exhausted once time is up. */
export const readGit = (volume: Volume, asked: Asked): Promise<Answer> =>
  GitFiles.use(volume, asked.repository, Date.now() + MOST_SECONDS * 1_000, (files) =>
    Objects.use(files, async (objects) => {
      const references = new References(files);
      const revisions = new Revisions(objects, references);
      const parts = new Parts();
      const query: Query = { asked, files, objects, references, revisions, parts };
      // Where packed names are read it is found whether they replace objects.
      if ((await references.find('refs/replace')) !== undefined) throw declined('it replaces objects');
      const answer = { log, show, diff, tags, status, search }[asked.query];
      const read = (await answer(query)) ?? [];
      return { landing: files.landing, sections: parts.sections, notes: parts.notes, next: parts.next, read };
    }),
  );
