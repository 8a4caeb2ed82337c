/** What a rule stands for in the list it is in: stricter where it grants than where it restricts. It must never look at other rules. */
import { WORD_GAP } from './judged-part.ts';
import { foldPattern, type PathPattern, type ReadPath } from './path-pattern.ts';
import type { Rule, RuleList } from './rule.ts';
import type { TextPattern } from './text-pattern.ts';

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
