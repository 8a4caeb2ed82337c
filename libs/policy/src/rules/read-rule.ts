/** Reads one entry of a permission list. Guarantees a rule or the reason there is none, in time bound by the entry's length; it must never guess what an unreadable entry meant. */
import { readPathPattern, type PathAnchors } from './path-pattern.ts';
import {
  RULE_FAMILIES,
  type ReadRule,
  type Rule,
  type RuleFamily,
  type RuleTarget,
  type UnreadableCode,
} from './rule.ts';
import { readTextPattern } from './text-pattern.ts';
import { readHostName } from './url-host.ts';

/** Longer than any path and any line a person writes into a rule. */
const LONGEST_RULE = 4096;
const LONGEST_ALIAS = 64;
const LONGEST_TOOL = 128;

/** Tool names people write where a family is meant. */
const FAMILY_MEANT: Readonly<Record<string, RuleFamily>> = {
  Write: 'Edit',
  MultiEdit: 'Edit',
  NotebookEdit: 'Edit',
  Glob: 'Read',
  Grep: 'Read',
  LS: 'Read',
  NotebookRead: 'Read',
  Shell: 'Bash',
  Run: 'Bash',
  Fetch: 'WebFetch',
};

export function readRule(entry: unknown, anchors: PathAnchors): ReadRule {
  if (typeof entry !== 'string') return unreadable('not_text', 'A rule is a text such as "Bash(ls *)".');
  if (entry.length > LONGEST_RULE) {
    return unreadable('too_long', `A rule may hold ${LONGEST_RULE} characters; this one holds ${entry.length}.`);
  }
  const text = entry.trim();
  if (text === '') return unreadable('empty', 'An empty entry is no rule; remove it.');
  if (text.includes('\0')) return unreadable('unprintable', 'A rule may not hold the character NUL.');
  if (text.startsWith('mcp__')) return readUnderscored(text);

  const open = text.indexOf('(');
  if (open >= 0 && !text.endsWith(')')) {
    return unreadable('unclosed_bracket', 'A rule with an opening bracket ends with the closing one.');
  }
  const name = (open < 0 ? text : text.slice(0, open)).trimEnd();
  const family = RULE_FAMILIES.find((known) => known === name);
  if (family === undefined) return unreadable('unknown_family', unknownFamily(name));
  if (open < 0) return { rule: { family, target: { kind: 'everything' } } };
  const specifier = text.slice(open + 1, -1).trim();
  if (specifier === '') {
    return unreadable('empty_brackets', `Empty brackets say nothing; write "${family}" to mean every use of it.`);
  }
  return readSpecifier(family, specifier, anchors);
}

function readSpecifier(family: RuleFamily, specifier: string, anchors: PathAnchors): ReadRule {
  switch (family) {
    case 'Bash':
      return ok(family, specifier === '*' ? { kind: 'everything' } : readCommand(specifier));
    case 'Read':
    case 'Edit': {
      const path = readPathPattern(specifier, anchors);
      if (path === undefined) return unreadable('no_anchor', unanchored(specifier));
      return ok(family, { kind: 'path', path, everythingLoose: specifier === '*' });
    }
    case 'WebFetch':
      return specifier === '*' ? ok(family, { kind: 'everything' }) : readDomain(specifier);
    case 'Mcp':
      return specifier === '*' ? ok(family, { kind: 'everything' }) : readTool(specifier);
  }
}

/** A trailing `:*` is a trailing ` *`, and a single trailing ` *` covers the bare command too. */
function readCommand(specifier: string): RuleTarget {
  const spelled = specifier.endsWith(':*') ? `${specifier.slice(0, -2)} *` : specifier;
  const pattern = readTextPattern(spelled);
  const bare = spelled.slice(0, -2);
  const coversBare = spelled.endsWith(' *') && pattern.length === 2;
  return {
    kind: 'command',
    patterns: coversBare ? [pattern, [bare]] : [pattern],
    exact: pattern.length === 1,
  };
}

function readDomain(specifier: string): ReadRule {
  if (!specifier.startsWith('domain:')) {
    return unreadable('not_a_domain', 'A WebFetch rule names a host: "WebFetch(domain:example.com)".');
  }
  let written = specifier.slice('domain:'.length).trim();
  while (written.startsWith('.')) written = written.slice(1);
  const host = readHostName(written);
  if (host === undefined) {
    return unreadable(
      'not_a_domain',
      '"domain:" is followed by a host and nothing else; its subdomains are covered without a star.',
    );
  }
  return ok('WebFetch', { kind: 'host', host });
}

function readTool(specifier: string): ReadRule {
  const colon = specifier.indexOf(':');
  const server = colon < 0 ? specifier : specifier.slice(0, colon);
  const tool = colon < 0 ? '*' : specifier.slice(colon + 1);
  return toolRule(server, tool);
}

/** The spelling of another tool's settings: `mcp__server`, `mcp__server__tool`, `mcp__server__*`. */
function readUnderscored(text: string): ReadRule {
  const rest = text.slice('mcp__'.length);
  const cut = rest.indexOf('__');
  return cut < 0 ? toolRule(rest, '*') : toolRule(rest.slice(0, cut), rest.slice(cut + 2));
}

function toolRule(server: string, tool: string): ReadRule {
  if (!isAlias(server) || (tool !== '*' && !isToolName(tool))) {
    return unreadable(
      'not_a_tool',
      'An Mcp rule names a server, "Mcp(weather)", or one tool of it, "Mcp(weather:get_alerts)"; both are compared whole.',
    );
  }
  return ok('Mcp', { kind: 'tool', server, tool: tool === '*' ? undefined : tool });
}

function isAlias(text: string): boolean {
  return text.length <= LONGEST_ALIAS && isLetterOrDigit(text.charAt(0)) && consistsOf(text, '-_');
}

function isToolName(text: string): boolean {
  return text.length <= LONGEST_TOOL && consistsOf(text, '-_./');
}

function consistsOf(text: string, others: string): boolean {
  return text !== '' && [...text].every((char) => isLetterOrDigit(char) || others.includes(char));
}

function isLetterOrDigit(char: string): boolean {
  return (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z') || (char >= '0' && char <= '9');
}

function unknownFamily(name: string): string {
  const meant = Object.hasOwn(FAMILY_MEANT, name) ? FAMILY_MEANT[name] : undefined;
  const known = `The families are ${RULE_FAMILIES.join(', ')}.`;
  if (meant !== undefined) return `There are no rules for ${name}; write ${meant}(...). ${known}`;
  return `No family of tools has this name. ${known}`;
}

function unanchored(specifier: string): string {
  if (specifier.startsWith('~')) return 'There is no home directory here that this path could begin in.';
  return 'A single leading slash begins in the directory of the settings file, and these settings have none. Write // for the root.';
}

function ok(family: RuleFamily, target: RuleTarget): { rule: Rule } {
  return { rule: { family, target } };
}

function unreadable(code: UnreadableCode, text: string): ReadRule {
  return { unreadable: { code, text } };
}
