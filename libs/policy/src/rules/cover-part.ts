/** Whether one rule covers one part of a call, standing in a given list. The plain reading that the index must agree with; it must never look at other rules. */
import { WORD_GAP, type JudgedPart } from './judged-part.ts';
import { foldPattern, matchesSegments, type PathPattern, type ReadPath } from './path-pattern.ts';
import type { Rule, RuleList } from './rule.ts';
import { matchesText, type TextPattern } from './text-pattern.ts';
import { hostAndParents } from './url-host.ts';

export function coversPart(rule: Rule, list: RuleList, part: JudgedPart, caseFolds: boolean): boolean {
  if (!isAbout(rule, part)) return false;
  const { target } = rule;
  if (coversEverything(rule, list)) return true;
  switch (target.kind) {
    case 'everything':
      return true;
    case 'command': {
      const text = part.kind === 'command' ? part.text : undefined;
      return text !== undefined && commandPatterns(target.patterns, list).some((pattern) => matchesText(pattern, text));
    }
    case 'path': {
      const names = part.kind === 'path' ? part.names : [];
      return names.some((name) =>
        pathPatterns(target.path, list, caseFolds).some(
          (pattern) => pattern.absolute === name.absolute && matchesSegments(pattern.segments, name.segments),
        ),
      );
    }
    case 'host':
      return part.kind === 'host' && part.hosts.some((host) => [...hostAndParents(host)].includes(target.host));
    case 'tool':
      return (
        part.kind === 'tool' &&
        part.server === target.server &&
        (target.tool === undefined || target.tool === part.tool)
      );
  }
}

/** `Read(*)` restricts everything and grants what it spells: any path inside the workspace. */
export function coversEverything(rule: Rule, list: RuleList): boolean {
  const { target } = rule;
  return target.kind === 'everything' || (target.kind === 'path' && target.everythingLoose && list !== 'allow');
}

/** A rule that grants means the gaps between words by its spaces; one that restricts reads the words run together. */
export function commandPatterns(patterns: readonly TextPattern[], list: RuleList): readonly TextPattern[] {
  if (list !== 'allow') return patterns;
  return patterns.map((pattern) => pattern.map((part) => part.replaceAll(' ', WORD_GAP)));
}

/** A rule that grants keeps to its spelling even where the volume folds case. */
export function pathPatterns(path: ReadPath, list: RuleList, caseFolds: boolean): readonly PathPattern[] {
  if (list === 'allow') return [path.strict];
  return caseFolds ? path.loose.map(foldPattern) : path.loose;
}

function isAbout(rule: Rule, part: JudgedPart): boolean {
  switch (part.kind) {
    case 'command':
      return rule.family === 'Bash';
    case 'path':
      return part.families.includes(rule.family);
    case 'host':
      return rule.family === 'WebFetch';
    case 'tool':
      return rule.family === 'Mcp';
  }
}
