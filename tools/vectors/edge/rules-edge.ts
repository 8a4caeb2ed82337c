/** Permission rules met at the edge: written as a person's settings, judged of a call. Guarantees that a rule is alone in its list; a verdict is read from the decision and never from the rules. */
import { RULE_LISTS, type RuleList } from '@bravo/policy/rules/rule';
import type { z } from 'zod';
import type { permissionListRows } from '../permission-lists-suite.ts';
import type { permissionRuleRows } from '../permission-rules-suite.ts';
import type { Replay } from '../suite.ts';
import type { EdgeSuite, Explained, Expressions, Seat, SettingsAnswer } from './edge.ts';

type RuleRow = z.output<typeof permissionRuleRows>;
type Lists = Readonly<Partial<Record<RuleList, readonly unknown[]>>>;

const NO_LINE =
  'the programs of these lines (npm, cargo, git …) are not in the sandbox; what a line is compiled to is met by suites of its own';
const WOULD_GO = 'a fetch that no rule refuses would really go outside; a refusal is met here';
const NO_SERVER = 'no tool of an MCP server is offered yet';
const NO_LINK = 'nothing an agent or a person can do makes a link';
const NO_ANCHOR = 'a stored layer lies in no directory and nobody has a home here';
const OTHER_HOST = "the workspace's volume folds no case and is no Windows one";
const BY_REFERENCE = 'no tool takes its destination by reference';
const OUTSIDE = 'a path that leads out of the workspace is refused whatever a rule allows; only a deny rule shows';
const ONLY_REFUSED = 'a question would wait and an allowed read says nothing of rules; a refusal is met here';

/** The call that visits what the candidate names, or why there is none. */
const callFor = (candidate: RuleRow['candidate']): { tool: string; input: object } | string => {
  switch (candidate.family) {
    case 'Bash':
      return NO_LINE;
    case 'WebFetch':
      return { tool: 'fetch_url', input: { url: 'url' in candidate ? candidate.url : `https://${candidate.host}/` } };
    case 'Mcp':
      return NO_SERVER;
    case 'Read':
    case 'Edit':
      if (candidate.landing !== undefined) return NO_LINK;
      if ('byReference' in candidate && candidate.byReference === true) return BY_REFERENCE;
      return candidate.family === 'Read'
        ? { tool: 'read_file', input: { path: candidate.path } }
        : { tool: 'write_file', input: { path: candidate.path, contents: 'words of the agent' } };
  }
};

const isAnchored = (rule: unknown): boolean => /^\w+\((?:\/(?!\/)|~\/)/.test(String(rule));

const documentOf = (lists: Lists): string => JSON.stringify({ permissions: lists });

/** Which entries the platform says it cannot read, list by list and in their order. */
const unreadable = ({ warnings }: SettingsAnswer, lists: Lists): unknown[] =>
  RULE_LISTS.flatMap((list) =>
    (lists[list] ?? []).filter((_, at) =>
      warnings.some(
        ({ code, key }) => code !== 'shadowed' && key === `permissions.${list}[${at}]` && code === 'unreadable',
      ),
    ),
  );

/** The verdict of the rules in a decision; every tool here is asked about first, so that an allow rule shows. */
const verdictOf = ({ step, rule, effect, reasons }: Explained): { verdict: string; decidedBy: string[] } => {
  if (step === 'deny_rules') return { verdict: 'deny', decidedBy: [rule] };
  if (reasons.some(({ code }) => code === 'ask_rule')) return { verdict: 'ask', decidedBy: [rule] };
  return effect === 'allow' && step === 'standing_answers'
    ? { verdict: 'allow', decidedBy: [rule] }
    : { verdict: 'none', decidedBy: [] };
};

export const permissionRulesEdge: EdgeSuite<typeof permissionRuleRows> = {
  name: 'permission-rules',
  express: (row): Expressions => {
    const lists = row.list === 'any' ? RULE_LISTS : [row.list];
    const anchored = isAnchored(row.rule) ? NO_ANCHOR : undefined;
    const call = callFor(row.candidate);
    const place = anchored ?? (row.caseFolding === true || row.platform === 'windows' ? OTHER_HOST : undefined);
    const why = typeof call === 'string' ? call : place;
    const outside = 'path' in row.candidate && row.candidate.path.startsWith('/');
    const shown = outside ? lists.filter((list) => list === 'deny') : lists;
    const meet = async (seat: Seat): Promise<Replay> => {
      const { tool, input } = call as Exclude<typeof call, string>;
      const seen: { list: string; matches: boolean }[] = [];
      // A refusal last: the call that is refused follows under the same settings.
      const order = shown.toReversed();
      for (const list of order) {
        await seat.putSettings(documentOf({ [list]: [row.rule] }));
        seen.push({ list, matches: verdictOf(await seat.explain(tool, input)).verdict === list });
      }
      return { expected: order.map((list) => ({ list, matches: row.matches })), actual: seen };
    };
    return {
      settings:
        anchored ?? (async (seat) => ({ expected: [], actual: await unreadableOf(seat, { [lists[0]!]: [row.rule] }) })),
      explain: why ?? (shown.length === 0 ? OUTSIDE : meet),
      mcp:
        why ??
        (row.candidate.family === 'WebFetch' && !row.matches
          ? WOULD_GO
          : lists.includes('deny')
            ? (seat) => meetRefusal(seat, { deny: [row.rule] }, call, row.matches)
            : ONLY_REFUSED),
    };
  },
};

export const permissionListsEdge: EdgeSuite<typeof permissionListRows> = {
  name: 'permission-lists',
  express: (row): Expressions => {
    const lists: Lists = { deny: row.deny ?? [], ask: row.ask ?? [], allow: row.allow ?? [] };
    const dropped = row.expectedDropped ?? [];
    const all = RULE_LISTS.flatMap((list) => lists[list] ?? []);
    // An anchor that has no place is unreadable here: of such a case what it expects, of another what it does not say.
    const anchored = all.some((rule) => isAnchored(rule) && !dropped.includes(rule)) ? NO_ANCHOR : undefined;
    const call = callFor(row.candidate);
    const why = typeof call === 'string' ? call : anchored;
    const meet = async (seat: Seat): Promise<Replay> => {
      const { tool, input } = call as Exclude<typeof call, string>;
      await seat.putSettings(documentOf(lists));
      const judge = row.unattended ? await seat.begin({ unattended: true }) : seat;
      const { verdict, decidedBy } = row;
      return { expected: { verdict, decidedBy }, actual: verdictOf(await judge.explain(tool, input)) };
    };
    return {
      settings: anchored ?? (async (seat) => ({ expected: dropped, actual: await unreadableOf(seat, lists) })),
      explain: why ?? meet,
      mcp: why ?? (row.verdict === 'deny' ? (seat) => meetRefusal(seat, lists, call, true) : ONLY_REFUSED),
    };
  },
};

const unreadableOf = async (seat: Seat, lists: Lists): Promise<unknown[]> =>
  unreadable(await seat.tellSettings(documentOf(lists)), lists);

/** Calls the tool in a conversation of its own, because a conversation keeps the settings it began with. */
const meetRefusal = async (
  seat: Seat,
  lists: Lists,
  call: ReturnType<typeof callFor>,
  refused: boolean,
): Promise<Replay> => {
  const { tool, input } = call as Exclude<typeof call, string>;
  await seat.putSettings(documentOf(lists));
  const talk = await seat.begin();
  const { text, isError } = await talk.call(tool, input);
  return { expected: refused, actual: isError && / rule ".*" denies this call\./.test(text) };
};
