/**
 * Reads a repository among the files. Guarantees that nothing of it is told unless the whole `.git` is vouched for and no rule denies
 * any of it, that a denied file's history is left out, and that what shows a file nobody vouched for is a reference.
 */
import type { PathTrust } from '@bravo/policy';
import { parsePath } from '@bravo/workspace-files';
import { GIT_COUNT } from '../../manifests/read-git.ts';
import type { GitQuery } from '../../sandbox/sandbox.ts';
import { type EffectOutput, type EffectTools, type Execute, failed, targetOf } from '../effect.ts';
import { plural } from '../text.ts';
import { misuseOf } from './git-arguments.ts';

const MOST_ENTRIES = 4_096;
const UNREAD =
  'The repository is not read: not all of its .git is vouched for. The person can let it be read, or use run with git.';
const UNREAD_TREE =
  'status is not told: it reads every file of the working tree, and not all of them are vouched for. log, show and diff still answer.';
const DENIED = 'A permission rule denies reading there, and it covers the history as well.';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const readGit: Execute = async ({ call, who }, { sandbox, trustOf, isReadDenied }) => {
  const began = new Date();
  const { arguments: given } = call;
  const misuse = misuseOf(given);
  if (misuse !== undefined) return failed('invalid_argument', misuse);
  const repository = targetOf(call.targets, 'repository');
  const within = (path: string): string => (repository === '' ? path : `${repository}/${path}`);
  const isAnyDenied = async (paths: readonly string[]): Promise<boolean> =>
    paths.length > 0 && (await isReadDenied(who.conversationId, paths)).some((denied) => denied !== false);

  const query: GitQuery = {
    query: textOf(given['query']),
    repository,
    ...{ revision: textOf(given['revision']), path: placeOf(textOf(given['path'])), pattern: textOf(given['pattern']) },
    count: Math.min(Number(given['count'] ?? GIT_COUNT.usual), GIT_COUNT.most),
    skip: Number(given['skip'] ?? 0),
    messages: given['messages'] === true,
    ...{ since: textOf(given['since']), until: textOf(given['until']) },
  };
  const named = [
    query.path,
    placeOf(query.revision.includes(':') ? query.revision.slice(query.revision.indexOf(':') + 1) : ''),
  ];
  if (await isAnyDenied(named.filter((path) => path !== '').map(within))) return failed('permission_denied', DENIED);

  const looked = await lookBelow(sandbox, who, within('.git'));
  if (looked === undefined) return failed('not_found', 'There is no repository: the directory holds no .git.');
  if (await isAnyDenied(looked.all)) return failed('permission_denied', DENIED);
  // Asked before anything is opened, so that what nobody vouched for is not even followed.
  if (!areTrusted(await trustOf(who.conversationId, looked.files))) return failed('permission_denied', UNREAD);

  const answer = await sandbox.readGit(who, query);
  if (answer.landing !== repository)
    return failed('conflict', 'The directory changed while it was read. Read it again.');
  // INVARIANT: trust is read after the bytes, and of what is there now: a program that ran meanwhile leaves nothing vouched for.
  const after = (await lookBelow(sandbox, who, within('.git')))?.files ?? [];
  if (!areTrusted(await trustOf(who.conversationId, after, began))) return failed('permission_denied', UNREAD);
  if (query.query === 'status') {
    const files = (await lookBelow(sandbox, who, repository))?.files ?? [];
    if (!areTrusted(await trustOf(who.conversationId, files, began))) return failed('permission_denied', UNREAD_TREE);
  }

  const shown = [...new Set([...answer.sections.flatMap(({ paths }) => paths), ...answer.read])].map(within);
  const [denials, trusts] = await Promise.all([
    isReadDenied(who.conversationId, shown),
    trustOf(who.conversationId, shown, began),
  ]);
  const denied = new Set(shown.filter((_, at) => denials[at] !== false));
  const kept = answer.sections.filter(({ paths }) => !paths.some((path) => denied.has(within(path))));
  const withheld = answer.sections.length - kept.length;
  const summary = [...answer.notes];
  if (withheld > 0)
    summary.push(`${plural(withheld, 'part is', 'parts are')} left out: a permission rule denies reading the file.`);
  if (answer.next > 0) summary.push(`There are more: go on with skip ${answer.next}.`);
  if (kept.length === 0) {
    summary.unshift(NOTHING[query.query] ?? 'There is nothing to show.');
    return { status: 'completed', summary, outputs: [] };
  }
  const trustAt = new Map(shown.map((path, at) => [path, trusts[at] ?? 'unmentioned']));
  // A search says of every file it read what does not match in it.
  const told = [...new Set([...kept.flatMap(({ paths }) => paths), ...answer.read])].map(within);
  const paths: PathTrust[] = [
    'trusted',
    ...told.filter((path) => !denied.has(path)).map((path) => trustAt.get(path) ?? 'unmentioned'),
  ];
  const output: EffectOutput = {
    origin: `git ${query.query}`,
    name: '',
    kind: 'text',
    content: Buffer.from(kept.map(({ text }) => text).join('')),
    paths,
  };
  return { status: 'completed', summary, outputs: [output] };
};

const NOTHING: Readonly<Record<string, string>> = {
  log: 'No commit is listed.',
  diff: 'The two are the same there.',
  status: 'Nothing differs from HEAD.',
  tags: 'No tag is listed.',
  search: 'No line matches.',
};

const placeOf = (path: string): string => {
  try {
    return parsePath(path).join('/');
  } catch {
    return path;
  }
};

const areTrusted = (trusts: readonly PathTrust[]): boolean =>
  trusts.length > 0 && trusts.every((trust) => trust === 'trusted');

/** Everything in a directory; undefined where it is none or cannot be listed whole. A directory alone says nothing, so trust is asked of `files`. */
const lookBelow = async (
  sandbox: EffectTools['sandbox'],
  who: Parameters<Execute>[0]['who'],
  directory: string,
): Promise<{ readonly all: readonly string[]; readonly files: readonly string[] } | undefined> => {
  const found = await sandbox.list(who, directory, 32, MOST_ENTRIES).catch(() => undefined);
  if (found === undefined || found.entries.length === 0 || found.landing !== directory || found.truncated)
    return undefined;
  return {
    all: [...(directory === '' ? [] : [directory]), ...found.entries.map(({ path }) => path)],
    files: found.entries.filter(({ kind }) => kind !== 'directory').map(({ path }) => path),
  };
};
