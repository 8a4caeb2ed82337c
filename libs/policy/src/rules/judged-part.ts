/** Cuts a call into the parts rules are asked about. Guarantees that every program, file, host and tool of a call is a part; restricting lists must never see less of it than a granting one. */
import type { Candidate, CandidateRedirect, CommandCandidate, FetchCandidate, PathCandidate } from './candidate.ts';
import { foldCase, isAbsolute, splitPath } from './path-pattern.ts';
import type { RuleFamily, RuleList } from './rule.ts';
import { hostOfUrl, readHostName } from './url-host.ts';

/** The host's and the volume's way with names. */
export interface PathSpelling {
  /** Whether the volume folds case; unknown compares byte by byte. */
  readonly caseFolding: boolean | 'unknown';
  readonly platform: 'posix' | 'windows';
}

export interface PathName {
  readonly absolute: boolean;
  readonly segments: readonly string[];
}

export type JudgedPart =
  | { readonly kind: 'command'; readonly text: string | undefined }
  | { readonly kind: 'path'; readonly families: readonly RuleFamily[]; readonly names: readonly PathName[] }
  | { readonly kind: 'host'; readonly hosts: readonly string[] }
  | { readonly kind: 'tool'; readonly server: string; readonly tool: string };

/** Stands between two words where a rule's space may mean nothing else. No argument of a program can hold it. */
export const WORD_GAP = '\0';

/** The parts of a call for one list. Of `allow`, the parts that must each be granted. */
export function partsOf(candidate: Candidate, list: RuleList, spelling: PathSpelling): readonly JudgedPart[] {
  switch (candidate.family) {
    case 'Bash':
      return list === 'allow' ? grantedSteps(candidate) : restrictedSteps(candidate, list, spelling);
    case 'Read':
    case 'Edit':
      return [pathPart(familiesOf(candidate.family, list), candidate, list, spelling)];
    case 'WebFetch':
      return [{ kind: 'host', hosts: hostsOf(candidate, list) }];
    case 'Mcp':
      return [{ kind: 'tool', server: candidate.server, tool: candidate.tool }];
  }
}

function grantedSteps(candidate: CommandCandidate): readonly JudgedPart[] {
  return candidate.steps.map(({ argv }) => {
    const impossible = argv.some((word) => word.includes(WORD_GAP));
    return { kind: 'command', text: impossible ? undefined : argv.join(WORD_GAP) };
  });
}

function restrictedSteps(candidate: CommandCandidate, list: RuleList, spelling: PathSpelling): readonly JudgedPart[] {
  return candidate.steps.flatMap((step): JudgedPart[] => [
    { kind: 'command', text: step.argv.join(' ') },
    ...(step.redirects ?? []).flatMap((redirect) => redirectPart(redirect, list, spelling)),
  ]);
}

function redirectPart(redirect: CandidateRedirect, list: RuleList, spelling: PathSpelling): JudgedPart[] {
  if (redirect.op === '2>&1' || redirect.path === undefined) return [];
  const named = { ...redirect, path: redirect.path };
  return [pathPart(familiesOf(redirect.op === '<' ? 'Read' : 'Edit', list), named, list, spelling)];
}

/** A denied read stops a write too: what may not be seen may not be replaced either. */
function familiesOf(family: 'Read' | 'Edit', list: RuleList): readonly RuleFamily[] {
  return family === 'Edit' && list === 'deny' ? ['Edit', 'Read'] : [family];
}

function pathPart(
  families: readonly RuleFamily[],
  file: Pick<PathCandidate, 'path' | 'landing' | 'spellings'>,
  list: RuleList,
  spelling: PathSpelling,
): JudgedPart {
  if (list === 'allow') return { kind: 'path', families, names: asWritten(file.path, spelling) };
  const spelled = [file.path, ...(file.landing === undefined ? [] : [file.landing]), ...(file.spellings ?? [])];
  return { kind: 'path', families, names: spelled.flatMap((path) => asRestricted(path, spelling)) };
}

/** A path with `..` in it may lead anywhere, so nothing that names a place grants it. */
function asWritten(path: string, spelling: PathSpelling): readonly PathName[] {
  const name = readName(path, spelling);
  return name.segments.includes('..') ? [] : [name];
}

function asRestricted(path: string, spelling: PathSpelling): readonly PathName[] {
  const written = readName(path, spelling);
  const folded = spelling.caseFolding === true ? { ...written, segments: written.segments.map(foldCase) } : written;
  if (!folded.segments.includes('..')) return [folded];
  return [folded, { ...folded, segments: withoutDots(folded) }];
}

function readName(path: string, spelling: PathSpelling): PathName {
  const spelled = spelling.platform === 'windows' ? path.replaceAll('\\', '/') : path;
  return { absolute: isAbsolute(spelled), segments: splitPath(spelled) };
}

function withoutDots(name: PathName): readonly string[] {
  const resolved: string[] = [];
  for (const segment of name.segments) {
    const last = resolved[resolved.length - 1];
    if (segment !== '..') resolved.push(segment);
    else if (last !== undefined && last !== '..') resolved.pop();
    else if (!name.absolute) resolved.push(segment);
  }
  return resolved;
}

/** Where a call names a URL, that decides; a host beside it only restricts further. */
function hostsOf(candidate: FetchCandidate, list: RuleList): readonly string[] {
  const byUrl = candidate.url === undefined ? undefined : hostOfUrl(candidate.url);
  const byName = candidate.host === undefined ? undefined : readHostName(candidate.host);
  const hosts = list === 'allow' && candidate.url !== undefined ? [byUrl] : [byUrl, byName];
  return hosts.filter((host) => host !== undefined);
}
