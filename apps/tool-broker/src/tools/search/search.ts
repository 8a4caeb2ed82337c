/** Finds lines; they are text only where the trust map vouches for every file they are from, and what may not be read is not found. Says of each way in which the answer is not the whole one. */
import { compileGlob, type PathTrust } from '@bravo/policy';
import type { SearchMatch } from '../../sandbox/sandbox.ts';
import { type Execute, failed, targetOf } from '../effect.ts';
import { plural } from '../text.ts';

const PARTIAL: Readonly<Record<string, string>> = {
  time: 'The time for a search ran out before every file was read: this is not everything, and it cannot be continued. Narrow the pattern or name a directory.',
  files:
    'There are more files than a search walks: this is not everything, and it cannot be continued. Name a directory.',
};

export const search: Execute = async ({ call, who }, { sandbox, trustOf, isReadDenied }) => {
  const directory = targetOf(call.targets, 'directory');
  const { pattern, include = '', offset = 0, case_sensitive: caseSensitive = true } = call.arguments;
  const found = await sandbox.search(who, {
    patterns: (Array.isArray(pattern) ? pattern : [pattern]).map(String),
    ignoreCase: caseSensitive === false,
    directory,
    include: String(include),
    offset: Number(offset),
  });
  // What was judged is where the path landed then; a link that took its place leads to what nobody judged.
  if (found.landing !== directory)
    return failed('conflict', 'The directory changed while it was searched. Search it again.');
  const denied = await isReadDenied(
    who.conversationId,
    found.matches.map(({ path }) => path),
  );
  const matches = found.matches.filter((_, index) => denied[index] === false);
  const withheld = found.matches.length - matches.length;
  const summary = [sayHowMany(matches.length, Number(offset), found)];
  if (found.filesSearched + found.filesSkipped === 0 && include !== '') summary.push(sayNoFiles(String(include)));
  if (found.filesSkipped > 0)
    summary.push(`${plural(found.filesSkipped, 'file was', 'files were')} not searched: too large, or no text.`);
  if (withheld > 0)
    summary.push(`${plural(withheld, 'match is', 'matches are')} withheld: a permission rule denies reading there.`);
  if (found.nextOffset > 0) summary.push(`There are more matches: go on with offset ${found.nextOffset}.`);
  summary.push(...found.partial.flatMap((kind) => PARTIAL[kind] ?? []));
  if (matches.length === 0) return { status: 'completed', summary, outputs: [] };
  const paths = [...new Set(matches.map(({ path }) => path))];
  const trusts = await trustOf(who.conversationId, paths);
  return {
    status: 'completed',
    summary,
    outputs: [
      {
        origin: `${plural(matches.length, 'matching line')} of ${plural(paths.length, 'file')}`,
        name: '',
        kind: 'text',
        content: Buffer.from(matches.map(lineOf).join('\n')),
        paths: trusts as readonly PathTrust[],
      },
    ],
  };
};

const lineOf = ({ path, line, text }: SearchMatch): string => `${path}:${line}: ${text}`;

interface Counted {
  readonly filesSearched: number;
  readonly matchesSeen: number;
  readonly partial: readonly string[];
}

const sayHowMany = (matches: number, offset: number, { filesSearched, matchesSeen, partial }: Counted): string => {
  if (matches > 0) return `Searched ${plural(filesSearched, 'file')}.`;
  if (offset > 0 && partial.length === 0)
    return `There is no match past offset ${offset}: there are ${matchesSeen} in all.`;
  return `No line matches in the ${plural(filesSearched, 'file')} that were read.`;
};

const sayNoFiles = (include: string): string => {
  const { unsupported } = compileGlob(include);
  const hint =
    unsupported.length === 0 ? '' : ` The glob has syntax that is plain text here: ${unsupported.join(', ')}.`;
  return `The include glob selected no file at all.${hint}`;
};
