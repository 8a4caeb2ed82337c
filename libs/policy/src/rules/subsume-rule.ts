/** Whether one rule covers everything another does. Guarantees that a yes is true of every call; a no may be wrong, and it must never be read as "they differ". */
import { commandPatterns, coversEverything, pathPatterns } from './cover-part.ts';
import { ANY_DEPTH, matchesSegments, type PathPattern } from './path-pattern.ts';
import type { Rule, RuleFamily, RuleList } from './rule.ts';
import { matchesText, type TextPattern } from './text-pattern.ts';
import { hostAndParents } from './url-host.ts';

/** A rule and the list it stands in. */
export interface ListedRule {
  readonly rule: Rule;
  readonly list: RuleList;
}

export function subsumes(wide: ListedRule, narrow: ListedRule, caseFolds: boolean): boolean {
  if (!reachesFamily(wide, narrow.rule.family)) return false;
  if (coversEverything(wide.rule, wide.list)) return true;
  if (coversEverything(narrow.rule, narrow.list)) return false;
  const [outer, inner] = [wide.rule.target, narrow.rule.target];
  if (outer.kind === 'command' && inner.kind === 'command') {
    return inner.patterns.every((pattern) => isCommandCovered(outer.patterns, pattern, wide.list, narrow.list));
  }
  if (outer.kind === 'path' && inner.kind === 'path') {
    // What a fold would bring together, a rule that grants keeps apart: only unfolded names are compared there.
    const folds = caseFolds && wide.list !== 'allow';
    const around = pathPatterns(outer.path, wide.list, folds);
    return pathPatterns(inner.path, narrow.list, folds).every((pattern) => isPathCovered(around, pattern));
  }
  if (outer.kind === 'host' && inner.kind === 'host') return [...hostAndParents(inner.host)].includes(outer.host);
  if (outer.kind === 'tool' && inner.kind === 'tool') {
    return outer.server === inner.server && (outer.tool === undefined || outer.tool === inner.tool);
  }
  return false;
}

/** A denied read stops a write. */
function reachesFamily(wide: ListedRule, family: RuleFamily): boolean {
  const { rule, list } = wide;
  return rule.family === family || (list === 'deny' && rule.family === 'Read' && family === 'Edit');
}

/** A star of the narrow pattern is a character only a star of the wide one covers. */
function isCommandCovered(
  wide: readonly TextPattern[],
  narrow: TextPattern,
  wideList: RuleList,
  narrowList: RuleList,
): boolean {
  // A list that restricts reads the words run together, whatever the other list would make of the gaps.
  const reading = wideList === 'allow' && narrowList === 'allow' ? 'allow' : 'deny';
  const text = commandPatterns([narrow], reading)[0]?.join('*') ?? '';
  return commandPatterns(wide, reading).some((pattern) => matchesText(pattern, text));
}

function isPathCovered(wide: readonly PathPattern[], narrow: PathPattern): boolean {
  const names = narrow.segments.map((segment) => (segment === ANY_DEPTH ? ANY_DEPTH : segment.join('*')));
  return wide.some(
    (pattern) =>
      pattern.absolute === narrow.absolute &&
      matchesSegments(pattern.segments, names, (segment, name) => name !== ANY_DEPTH && matchesText(segment, name)),
  );
}
