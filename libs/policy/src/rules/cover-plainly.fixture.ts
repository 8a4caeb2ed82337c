/** Whether one rule covers one part of a call, standing in a given list: the plain reading that the index must agree with. For specs only. */
import { commandPatterns, coversEverything, pathPatterns } from './cover-part.ts';
import type { JudgedPart } from './judged-part.ts';
import { matchesSegments } from './path-pattern.ts';
import type { Rule, RuleList } from './rule.ts';
import { matchesText } from './text-pattern.ts';
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
