/** Finds rules that can never decide anything. Guarantees that a rule named here is useless as things stand; it must never change what the rules say. */
import type { CompiledRules, PlacedRule } from './compile-rules.ts';
import type { RuleFamily, RuleList } from './rule.ts';
import { subsumes } from './subsume-rule.ts';

export interface LintContext {
  /** Families of the tools that are offered at all. */
  readonly families: readonly RuleFamily[];
  /** Names of the servers whose tools are offered. */
  readonly servers: readonly string[];
  readonly caseFolding: boolean | 'unknown';
}

export type UselessCode = 'unreadable' | 'shadowed' | 'repeated' | 'no_tool' | 'no_server' | 'waits';

export interface UselessRule {
  readonly code: UselessCode;
  readonly layer: PlacedRule['layer'];
  readonly list: RuleList;
  /** Place in its list, counted from 0. */
  readonly at: number;
  /** As written; of an entry that is no text, its JSON. */
  readonly rule: string;
  /** For a person: why it decides nothing, and what would change that. */
  readonly text: string;
}

/** Each rule is compared with those asked before it; past this many comparisons the rest are not compared: whoever waits for the warnings waits for others too. */
const MOST_COMPARISONS = 250_000;
const LONGEST_SHOWN = 200;

export function lintRules(compiled: CompiledRules, context: LintContext): readonly UselessRule[] {
  const unreadable = compiled.dropped.map(({ layer, list, at, entry, text }) =>
    useless('unreadable', { layer, list, at, rule: show(entry) }, text),
  );
  const waiting = compiled.proposals.map((rule) =>
    useless('waits', rule, 'A repository only proposes what to allow; it holds once a person accepts it.'),
  );
  return [...unreadable, ...waiting, ...findIdle(compiled.rules, context), ...findShadowed(compiled.rules, context)];
}

function findIdle(rules: readonly PlacedRule[], context: LintContext): readonly UselessRule[] {
  return rules.flatMap((rule) => {
    const { family, target } = rule.read;
    if (!context.families.includes(family)) {
      return [useless('no_tool', rule, `No tool of the family ${family} is offered here.`)];
    }
    if (target.kind === 'tool' && !context.servers.includes(target.server)) {
      return [useless('no_server', rule, `There is no server named ${target.server} here.`)];
    }
    return [];
  });
}

/** `rules` stand in the order they are asked: deny, ask, allow, and within a list layer by layer. */
function findShadowed(rules: readonly PlacedRule[], context: LintContext): readonly UselessRule[] {
  const found: UselessRule[] = [];
  let comparisons = 0;
  rules.forEach((rule, place) => {
    comparisons += place;
    if (comparisons > MOST_COMPARISONS) return;
    const before = rules.slice(0, place).find((known) => isAnsweredBy(known, rule, context));
    if (before === undefined) return;
    const where = `the ${before.layer} rule "${show(before.rule)}" of the list ${before.list}`;
    const isSameList = before.list === rule.list;
    const text = isSameList
      ? `Everything it covers is covered by ${where} before it; it may be removed.`
      : `Everything it covers is decided first by ${where}; narrow that one, or remove this one.`;
    found.push(useless(isSameList ? 'repeated' : 'shadowed', rule, text));
  });
  return found;
}

/** An exact rule behind a wider allow rule still answers where a value must be named exactly. */
function isAnsweredBy(known: PlacedRule, rule: PlacedRule, context: LintContext): boolean {
  if (known.list === 'allow' && rule.exact === true && known.exact !== true) return false;
  const wide = { rule: known.read, list: known.list };
  return subsumes(wide, { rule: rule.read, list: rule.list }, context.caseFolding === true);
}

function useless(
  code: UselessCode,
  { layer, list, at, rule }: Pick<UselessRule, 'layer' | 'list' | 'at' | 'rule'>,
  text: string,
): UselessRule {
  return { code, layer, list, at, rule: show(rule), text };
}

function show(entry: unknown): string {
  const text = typeof entry === 'string' ? entry : spell(entry);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

function spell(entry: unknown): string {
  try {
    return JSON.stringify(entry) ?? String(entry);
  } catch {
    return typeof entry;
  }
}
