/** What differs between HEAD, the index and the working tree, by the bytes of the files alone; what an attribute would convert first is said to be not compared. */
import { createHash } from 'node:crypto';
import { readlink, type FileHandle } from 'node:fs/promises';
import ignore, { type Ignore } from 'ignore';
import { namesIn } from '../files/list-directory.ts';
import { at, inDirectory, lookAt, openFile } from '../files/walk.ts';
import { declined } from './git-files.ts';
import { byBytes, LINK, SUBMODULE } from './parse-objects.ts';
import { type IndexEntry, readIndex } from './read-index.ts';
import type { HistoryParts } from './walk-history.ts';
import { quoted } from './show-change.ts';
import { type FileVersion, filesOf } from './trees.ts';

export interface StatusLine {
  readonly path: string;
  readonly text: string;
}

const MOST_FILE_BYTES = 64 * 1024 * 1024;
const MOST_RULE_BYTES = 1024 * 1024;
const CONVERTING = /(?:^|\s)-?!?(?:text|eol|crlf|filter|ident|working-tree-encoding)(?:=|\s|$)/;
/** By the sides that are there: base 1, ours 2, theirs 4. */
const CONFLICTS: Readonly<Record<number, string>> = { 1: 'DD', 2: 'AU', 3: 'UD', 4: 'UA', 5: 'DU', 6: 'AA', 7: 'UU' };

interface Found {
  readonly mode: number;
  readonly id: string;
}

const rulesOf = (text: string): Ignore => ignore({ allowRelativePaths: true }).add(text);

/** Patterns of attributes that convert what is compared. */
const convertersOf = (text: string): Ignore =>
  ignore({ allowRelativePaths: true }).add(
    text
      .split('\n')
      .filter((line) => !line.startsWith('#') && CONVERTING.test(line.replace(/^\s*\S+/, '')))
      .map((line) => line.trim().split(/\s+/)[0] ?? '')
      .filter((pattern) => pattern !== '' && !pattern.startsWith('[attr]')),
  );

/** Of a directory: its own rules; '' for the root. */
interface Level {
  readonly prefix: string;
  readonly rules: Ignore | undefined;
  readonly converters: Ignore | undefined;
}

const readSmall = async (directory: FileHandle, name: string): Promise<string | undefined> => {
  const { kind, size } = await lookAt(directory, name);
  if (kind !== 'file') return undefined;
  if (size > MOST_RULE_BYTES) throw declined(`its ${name} is too large`);
  const file = await openFile(directory, name);
  try {
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
};

export const readStatus = async (
  parts: HistoryParts,
  head: string | undefined,
  wanted: string,
): Promise<StatusLine[]> => {
  const { files, objects } = parts;
  const { config } = files;
  if (config.noStatusBecause !== '') throw declined(config.noStatusBecause);
  const bytes = await files.bytes(['index'], MOST_FILE_BYTES);
  const entries = bytes === undefined ? [] : readIndex(bytes);
  const isWanted = (path: string): boolean => wanted === '' || path === wanted || path.startsWith(`${wanted}/`);
  const tracked = new Map<string, IndexEntry>();
  const conflicts = new Map<string, number>();
  const directories = new Set<string>();
  for (const entry of entries) {
    if (entry.stage > 0) conflicts.set(entry.path, (conflicts.get(entry.path) ?? 0) | (1 << (entry.stage - 1)));
    else tracked.set(entry.path, entry);
    for (let end = entry.path.indexOf('/'); end > 0; end = entry.path.indexOf('/', end + 1))
      directories.add(entry.path.slice(0, end));
  }
  const committed = new Map<string, FileVersion>();
  if (head !== undefined) for await (const file of filesOf(objects, head)) committed.set(file.path, file);

  const working = new Map<string, Found | 'submodule'>();
  const untracked: string[] = [];
  const notCompared = new Set<string>();
  const levels: Level[] = [];
  const excludes = rulesOf((await files.text(['info', 'exclude'])) ?? '');
  const attributes = convertersOf((await files.text(['info', 'attributes'])) ?? '');

  const isIgnored = (path: string, isDirectory: boolean): boolean => {
    const name = isDirectory ? `${path}/` : path;
    for (const { prefix, rules } of [...levels].reverse()) {
      const { ignored, unignored } = rules?.test(name.slice(prefix.length)) ?? { ignored: false, unignored: false };
      if (ignored || unignored) return ignored;
    }
    return excludes.ignores(name);
  };
  const isConverted = (path: string): boolean =>
    config.convertsLines ||
    attributes.ignores(path) ||
    levels.some(({ prefix, converters }) => converters?.ignores(path.slice(prefix.length)) === true);

  const compare = async (directory: FileHandle, name: string, path: string, kind: string): Promise<void> => {
    const found = await versionOf(directory, name, kind);
    if (found === undefined) return;
    const entry = tracked.get(path);
    const mode = config.fileMode || entry === undefined || kind === 'link' ? found.mode : entry.mode;
    working.set(path, { id: found.id, mode });
    if (entry !== undefined && entry.id !== found.id && kind === 'file' && isConverted(path)) notCompared.add(path);
  };
  /** Whether anything in it is neither tracked nor ignored. */
  const holdsUntracked = async (directory: FileHandle, prefix: string): Promise<boolean> =>
    withLevel(directory, prefix, async () => {
      for (const name of await namesIn(directory)) {
        files.checkTime();
        const { kind } = await lookAt(directory, name);
        if (name === '.git') return true;
        if (isIgnored(prefix + name, kind === 'directory')) continue;
        if (kind === 'file' || kind === 'link') return true;
        if (
          kind === 'directory' &&
          (await inDirectory(directory, [name], (next) => holdsUntracked(next, `${prefix}${name}/`))) === true
        )
          return true;
      }
      return false;
    });
  const withLevel = async <T>(directory: FileHandle, prefix: string, work: () => Promise<T>): Promise<T> => {
    const [rules, converting] = [
      await readSmall(directory, '.gitignore'),
      await readSmall(directory, '.gitattributes'),
    ];
    levels.push({
      prefix,
      rules: rules === undefined ? undefined : rulesOf(rules),
      converters: converting === undefined ? undefined : convertersOf(converting),
    });
    try {
      return await work();
    } finally {
      levels.pop();
    }
  };
  const walk = (directory: FileHandle, prefix: string): Promise<void> =>
    withLevel(directory, prefix, async () => {
      for (const name of await namesIn(directory)) {
        files.checkTime();
        const path = prefix + name;
        if (name === '.git') continue;
        const { kind } = await lookAt(directory, name);
        if (kind === 'file' || kind === 'link') {
          if (tracked.has(path) || conflicts.has(path)) await compare(directory, name, path, kind);
          else if (!isIgnored(path, false)) untracked.push(path);
        } else if (kind === 'directory') {
          if (tracked.get(path)?.mode === SUBMODULE) working.set(path, 'submodule');
          else if (directories.has(path)) await inDirectory(directory, [name], (next) => walk(next, `${path}/`));
          else if (
            !isIgnored(path, true) &&
            (await inDirectory(directory, [name], (next) => holdsUntracked(next, `${path}/`))) === true
          )
            untracked.push(`${path}/`);
        }
      }
    });
  await walk(files.tree, '');

  const lines: StatusLine[] = [];
  const say = (path: string, word: string): void =>
    void (isWanted(path) && lines.push({ path, text: `${word} ${quotedName(path)}` }));
  const sayNotCompared = (path: string, why: string): void =>
    void (isWanted(path) && lines.push({ path, text: `-- ${quotedName(path)} (not compared: ${why})` }));
  for (const path of [...new Set([...tracked.keys(), ...committed.keys(), ...conflicts.keys()])].sort(byBytes)) {
    const conflict = conflicts.get(path);
    if (conflict !== undefined) {
      say(path, CONFLICTS[conflict] ?? 'UU');
      continue;
    }
    const [was, entry, is] = [committed.get(path), tracked.get(path), working.get(path)];
    const staged =
      entry === undefined || entry.intentToAdd
        ? was === undefined
          ? ' '
          : 'D'
        : was === undefined
          ? 'A'
          : letterOf(was, entry);
    if (entry?.mode === SUBMODULE || is === 'submodule') {
      if (staged !== ' ') say(path, `${staged} `);
      sayNotCompared(path, 'a submodule');
      continue;
    }
    if (notCompared.has(path)) {
      if (staged !== ' ') say(path, `${staged} `);
      sayNotCompared(path, 'an attribute or core.autocrlf would convert it');
      continue;
    }
    const changed =
      entry === undefined || entry.assumeValid
        ? ' '
        : is === undefined
          ? 'D'
          : entry.intentToAdd
            ? 'A'
            : letterOf(entry, is);
    if (staged !== ' ' || changed !== ' ') say(path, staged + changed);
  }
  for (const path of [...new Set(untracked)].sort(byBytes)) say(path, '??');
  return lines;
};

/** `git status --short` also quotes names with spaces. */
const quotedName = (path: string): string => {
  const name = quoted(path);
  return name === path && path.includes(' ') ? `"${path}"` : name;
};

const letterOf = (before: Found, after: Found): string => {
  const kind = (mode: number): number => mode & 0o170000;
  if (kind(before.mode) !== kind(after.mode)) return 'T';
  return before.id === after.id && before.mode === after.mode ? ' ' : 'M';
};

/** As git would keep it. Undefined for what went away or is too large to be read. */
const versionOf = async (directory: FileHandle, name: string, kind: string): Promise<Found | undefined> => {
  const idOf = (bytes: Uint8Array): string =>
    createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
  if (kind === 'link') {
    const target = await readlink(at(directory, name), 'buffer').catch(() => undefined);
    return target === undefined ? undefined : { mode: LINK, id: idOf(target) };
  }
  const file = await openFile(directory, name);
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > MOST_FILE_BYTES) return undefined;
    return { mode: stats.mode & 0o100 ? 0o100755 : 0o100644, id: idOf(await file.readFile()) };
  } finally {
    await file.close();
  }
};
