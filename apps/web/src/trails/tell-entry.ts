/** Tells one entry of the verifiable log as a sentence; facts come from the entry alone, and what it does not say is not guessed. */
import type { AuditEntry } from '../api/contract.ts';

export type TrailTone = 'person' | 'agent' | 'ask' | 'good' | 'bad' | 'plain';

export interface TrailLine {
  tone: TrailTone;
  title: string;
  /** Reasons, rules and other sentences. */
  details: string[];
  /** Digests and sizes, named. */
  facts: [name: string, value: string][];
}

type Data = Record<string, unknown>;

/** The person's short name for an id such as `usr_…` or `bravo:usr_…`. */
export type NameOf = (actor: string) => string;

export function tellEntry(entry: AuditEntry, nameOf: NameOf): TrailLine {
  const data = entry.data;
  const who = nameOf(entry.actor);
  const tool = word(data, 'tool') || 'a tool';
  const line = (tone: TrailTone, title: string, details: string[] = []): TrailLine => ({
    tone,
    title,
    details: details.filter((detail) => detail !== ''),
    facts: factsOf(data),
  });
  switch (entry.type) {
    case 'agent.conversation.created':
      return line('person', `${who} opened the conversation`, [modeSentence(data)]);
    case 'agent.conversation.ended':
      return line('plain', `${who} ended the conversation`);
    case 'agent.message.received':
      return line('person', `${who} asked`);
    case 'agent.message.sent':
      return line('agent', '@bravo answered');
    case 'agent.turn.finished':
      return line(word(data, 'status') === 'completed' || word(data, 'status') === '' ? 'plain' : 'bad', `The turn ended: ${word(data, 'status') || 'finished'}`);
    case 'agent.tool.requested':
      return line('agent', `@bravo asked for ${tool}`, [word(data, 'why')]);
    case 'agent.tool.decided':
      return line(decisionTone(word(data, 'effect') || word(data, 'decision')), `Policy decided: ${decisionWords(data)}`, reasonsOf(data));
    case 'agent.tool.approval_requested':
      return line('ask', `A person was asked about ${tool}`, reasonsOf(data));
    case 'agent.tool.approved':
      return line('good', `${who} approved ${tool}`, [data['trust_output'] === true ? '@bravo may read the output.' : 'The output stays with the person.']);
    case 'agent.tool.denied':
      return line('bad', `${who} denied ${tool}`);
    case 'agent.tool.expired':
      return line('bad', `The question about ${tool} expired unanswered, which refuses it`);
    case 'agent.tool.executed':
      return line(word(data, 'status') === 'failed' ? 'bad' : 'good', `${tool} ran${word(data, 'status') ? `: ${word(data, 'status').replaceAll('_', ' ')}` : ''}`);
    case 'agent.code.executed':
      return line('good', `The sandbox ran ${word(data, 'language') || 'a program'}`);
    case 'agent.pod.claimed':
      return line('plain', 'A fresh agent pod was claimed');
    case 'agent.pod.released':
      return line('plain', 'The agent pod was released', [word(data, 'reason')]);
    case 'agent.token.minted':
      return line('plain', 'An agent token was minted');
    case 'agent.token.revoked':
      return line('plain', 'The agent token was revoked');
    case 'agent.config.changed':
      return line('person', `${who} changed the agent's configuration`);
    default:
      return line('plain', entry.type.replace(/^agent\./, '').replaceAll('.', ' ').replaceAll('_', ' '));
  }
}

function word(data: Data, key: string): string {
  const value = data[key];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

function modeSentence(data: Data): string {
  const mode = word(data, 'mode');
  return mode === '' ? '' : `Mode: ${mode}.`;
}

function decisionTone(effect: string): TrailTone {
  return effect === 'allow' ? 'good' : effect === 'ask' ? 'ask' : effect === 'deny' ? 'bad' : 'plain';
}

function decisionWords(data: Data): string {
  const effect = word(data, 'effect') || word(data, 'decision');
  const rule = word(data, 'rule') || word(data, 'decided_by');
  const words: Record<string, string> = { allow: 'allowed', ask: 'a person must answer', deny: 'denied' };
  return `${words[effect] ?? (effect || 'recorded')}${rule === '' ? '' : ` (by ${rule})`}`;
}

function reasonsOf(data: Data): string[] {
  const list = data['reasons'] ?? data['asks'];
  if (typeof list === 'string') return [list];
  if (!Array.isArray(list)) return [word(data, 'reason')];
  return list.map((reason: unknown) => {
    if (typeof reason === 'string') return reason;
    if (typeof reason !== 'object' || reason === null) return '';
    return word(reason as Data, 'text') || word(reason as Data, 'code');
  });
}

const FACT = /(digest|sha256|hash|bytes|size|lines|exit_code|duration_ms|signal|timed_out|oom_killed|policy_version|tokens|language|label)/;

function factsOf(data: Data, prefix = ''): [string, string][] {
  const facts: [string, string][] = [];
  for (const [key, value] of Object.entries(data)) {
    const name = prefix + key.replaceAll('_', ' ');
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      if (key === 'label') facts.push(['label', Object.values(value as Data).map(String).join(', ')]);
      else facts.push(...factsOf(value as Data, `${name} `));
    } else if (FACT.test(key) && value !== '' && value !== null && value !== false && !Array.isArray(value)) {
      facts.push([name, String(value)]);
    }
  }
  return facts;
}
