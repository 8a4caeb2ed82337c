/** Rules of every layer made ready to judge calls. Guarantees that deny comes before ask and ask before allow from whatever layer, and that an unreadable entry takes nothing with it; it must never let a repository grant what nobody accepted. */
import type { RuleHit, RuleVerdicts } from '../facts.ts';
import { isBeyondAllowRules, type Candidate } from './candidate.ts';
import { partsOf, type PathSpelling } from './judged-part.ts';
import { readRule } from './read-rule.ts';
import { RULE_LISTS, type Rule, type RuleList, type Unreadable } from './rule.ts';
import { RuleIndex } from './rule-index.ts';

/** The `permissions` block of one settings file, entries as they were read. */
export interface RuleSource {
  readonly layer: RuleHit['layer'];
  readonly deny?: readonly unknown[];
  readonly ask?: readonly unknown[];
  readonly allow?: readonly unknown[];
  /** Where a single leading slash begins; null or absent: such a rule is unreadable. */
  readonly settingsDir?: string | null;
  /** Of a repository, the allow rules a person accepted, exactly as written. The others are proposals. */
  readonly accepted?: readonly string[];
  /** What a hit is called instead of the rule's text; undefined: the text. */
  readonly nameRule?: (list: RuleList, at: number) => string | undefined;
}

export interface RuleContext extends PathSpelling {
  /** Where `~/` begins; null or absent: there is none. */
  readonly home?: string | null;
}

/** An entry that is in force nowhere, and why. */
export interface DroppedRule extends Unreadable {
  readonly layer: RuleHit['layer'];
  readonly list: RuleList;
  /** Place in its list, counted from 0. */
  readonly at: number;
  readonly entry: unknown;
}

/** A readable rule, where it was written. */
export interface PlacedRule extends RuleHit {
  readonly list: RuleList;
  readonly at: number;
  readonly read: Rule;
  /** What a hit is called instead of its text. */
  readonly shown?: string;
}

export type RuleVerdict = 'deny' | 'ask' | 'allow' | 'none';

export interface RuleJudgement extends RuleVerdicts {
  readonly verdict: RuleVerdict;
  /** The deciding rules as written: one for deny and ask, for allow one per step of the line; none where no rule decides. */
  readonly decidedBy: readonly string[];
}

export interface CompiledRules {
  readonly dropped: readonly DroppedRule[];
  /** A repository's allow rules that wait for a person. */
  readonly proposals: readonly PlacedRule[];
  /** In force, list by list in the order they are asked. */
  readonly rules: readonly PlacedRule[];
  readonly judge: (candidate: Candidate) => RuleJudgement;
}

export function compileRules(sources: readonly RuleSource[], context: RuleContext): CompiledRules {
  const dropped: DroppedRule[] = [];
  const proposals: PlacedRule[] = [];
  const lists: Record<RuleList, PlacedRule[]> = { deny: [], ask: [], allow: [] };
  for (const list of RULE_LISTS) {
    for (const source of sources) {
      (source[list] ?? []).forEach((entry, at) => {
        const read = readRule(entry, {
          home: context.home,
          settingsDir: source.settingsDir,
          backslashSeparates: context.platform === 'windows',
        });
        const { layer } = source;
        if ('unreadable' in read) {
          dropped.push({ layer, list, at, entry, ...read.unreadable });
          return;
        }
        const shown = source.nameRule?.(list, at);
        const rule = {
          ...{ rule: String(entry), layer, exact: isExact(read.rule), list, at, read: read.rule },
          ...(shown === undefined ? {} : { shown }),
        };
        const isProposal = list === 'allow' && layer === 'repository' && !source.accepted?.includes(rule.rule);
        (isProposal ? proposals : lists[list]).push(rule);
      });
    }
  }
  return {
    dropped,
    proposals,
    rules: RULE_LISTS.flatMap((list) => lists[list]),
    judge: judgeWith(lists, context),
  };
}

function judgeWith(lists: Record<RuleList, readonly PlacedRule[]>, context: RuleContext): CompiledRules['judge'] {
  const deny = indexOf('deny', lists.deny, context);
  const ask = indexOf('ask', lists.ask, context);
  const allow = indexOf('allow', lists.allow, context);
  // Asked first where a value must be named exactly: a wider rule in front must not hide the one that does.
  const exactAllow = indexOf('allow', lists.allow, context, (rule) => rule.exact === true);

  return (candidate) => {
    const denied = firstOf(deny, lists.deny, candidate, 'deny', context);
    const asked = firstOf(ask, lists.ask, candidate, 'ask', context);
    const granted = isBeyondAllowRules(candidate) ? [] : eachOf(allow, lists.allow, candidate, context);
    const exact = granted.length === 0 ? [] : eachOf(exactAllow, lists.allow, candidate, context);
    // A line is named exactly only where each of its steps is.
    const isExactly = exact.length > 0;
    const hits = granted.map((hit) => ({ ...hit, exact: hit.exact === true && isExactly }));
    const more = exact.filter((hit) => !granted.some((known) => known.rule === hit.rule && known.layer === hit.layer));
    const verdicts = { deny: denied, ask: asked, allow: [...hits, ...more] };
    const [verdict, deciding] = firstList(denied, asked, granted);
    return { ...verdicts, verdict, decidedBy: deciding.map((hit) => hit.rule) };
  };
}

function firstList(
  deny: readonly RuleHit[],
  ask: readonly RuleHit[],
  allow: readonly RuleHit[],
): [RuleVerdict, readonly RuleHit[]] {
  if (deny.length > 0) return ['deny', deny];
  if (ask.length > 0) return ['ask', ask];
  return allow.length > 0 ? ['allow', allow] : ['none', []];
}

function indexOf(
  list: RuleList,
  rules: readonly PlacedRule[],
  context: RuleContext,
  isIn: (rule: PlacedRule) => boolean = () => true,
): RuleIndex {
  const index = new RuleIndex(list, context.caseFolding === true);
  rules.forEach((rule, place) => {
    if (isIn(rule)) index.add(rule.read, place);
  });
  return index;
}

/** The first rule of the list that covers any part of the call. */
function firstOf(
  index: RuleIndex,
  rules: readonly PlacedRule[],
  candidate: Candidate,
  list: RuleList,
  context: RuleContext,
): readonly RuleHit[] {
  let first: number | undefined;
  for (const part of partsOf(candidate, list, context)) {
    const place = index.firstCovering(part);
    if (place !== undefined && (first === undefined || place < first)) first = place;
  }
  const rule = first === undefined ? undefined : rules[first];
  return rule === undefined ? [] : [toHit(rule)];
}

/** For each part the first rule that covers it; nothing where one part is covered by none. */
function eachOf(
  index: RuleIndex,
  rules: readonly PlacedRule[],
  candidate: Candidate,
  context: RuleContext,
): readonly RuleHit[] {
  const hits: RuleHit[] = [];
  for (const part of partsOf(candidate, 'allow', context)) {
    const place = index.firstCovering(part);
    const rule = place === undefined ? undefined : rules[place];
    if (rule === undefined) return [];
    hits.push(toHit(rule));
  }
  return hits;
}

function toHit({ rule, shown, layer, exact }: PlacedRule): RuleHit {
  return { rule: shown ?? rule, layer, exact: exact === true };
}

/** Names this one line or file and nothing wider. */
function isExact({ target }: Rule): boolean {
  return (target.kind === 'command' && target.exact) || (target.kind === 'path' && target.path.exact);
}
