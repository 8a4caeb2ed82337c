/** One list of rules, filed by family and by what each is about. Guarantees the first rule of the list that covers a part, at a cost that does not grow with the list; it must never answer otherwise than asking rule by rule would. */
import { commandPatterns, coversEverything, pathPatterns } from './cover-part.ts';
import type { JudgedPart } from './judged-part.ts';
import { PathIndex } from './path-index.ts';
import type { Rule, RuleFamily, RuleList } from './rule.ts';
import { TextIndex } from './text-index.ts';
import { hostAndParents } from './url-host.ts';

export class RuleIndex {
  readonly #list: RuleList;
  readonly #caseFolds: boolean;
  readonly #everything = new Map<RuleFamily, number>();
  readonly #commands = new TextIndex<number>();
  readonly #paths = { Read: new PathIndex<number>(), Edit: new PathIndex<number>() };
  readonly #hosts = new Map<string, number>();
  readonly #servers = new Map<string, number>();
  readonly #tools = new Map<string, number>();

  constructor(list: RuleList, caseFolds: boolean) {
    this.#list = list;
    this.#caseFolds = caseFolds;
  }

  /** `place` is the rule's place in its list; rules are added in order, so that of two alike the first stands. */
  add(rule: Rule, place: number): void {
    const { target } = rule;
    if (coversEverything(rule, this.#list)) {
      keepFirst(this.#everything, rule.family, place);
      return;
    }
    switch (target.kind) {
      case 'everything':
        return;
      case 'command':
        for (const pattern of commandPatterns(target.patterns, this.#list)) this.#commands.add(pattern, place);
        return;
      case 'path':
        for (const pattern of pathPatterns(target.path, this.#list, this.#caseFolds)) {
          this.#paths[rule.family === 'Edit' ? 'Edit' : 'Read'].add(pattern, place);
        }
        return;
      case 'host':
        keepFirst(this.#hosts, target.host, place);
        return;
      case 'tool':
        if (target.tool === undefined) keepFirst(this.#servers, target.server, place);
        else keepFirst(this.#tools, `${target.server}:${target.tool}`, place);
    }
  }

  /** The place of the first rule that covers the part. */
  firstCovering(part: JudgedPart): number | undefined {
    let first: number | undefined;
    const note = (place: number | undefined): void => {
      if (place !== undefined && (first === undefined || place < first)) first = place;
    };
    switch (part.kind) {
      case 'command':
        note(this.#everything.get('Bash'));
        if (part.text !== undefined) this.#commands.visit(part.text, note);
        break;
      case 'path':
        for (const family of part.families) {
          note(this.#everything.get(family));
          const index = this.#paths[family === 'Edit' ? 'Edit' : 'Read'];
          for (const name of part.names) index.visit(name.absolute, name.segments, note);
        }
        break;
      case 'host':
        note(this.#everything.get('WebFetch'));
        for (const host of part.hosts) for (const suffix of hostAndParents(host)) note(this.#hosts.get(suffix));
        break;
      case 'tool':
        note(this.#everything.get('Mcp'));
        note(this.#servers.get(part.server));
        note(this.#tools.get(`${part.server}:${part.tool}`));
    }
    return first;
  }
}

function keepFirst<Key>(map: Map<Key, number>, key: Key, place: number): void {
  if (!map.has(key)) map.set(key, place);
}
