/** Tells one entry of the verifiable log as a sentence; facts come from the entry alone, and what it does not say is not guessed. */
import type { AuditEntry } from '../api/contract.ts';
import { formatDuration } from '../messages/format-amounts.ts';

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

/** Both words empty: the choice was taken back. */
function tellModel(who: string, model: string, effort: string): string {
  const level = effort === '' ? '' : ` with ${effort} effort`;
  if (model === '') return effort === '' ? `${who} took the choice of a model back` : `${who} chose ${effort} effort`;
  return `${who} chose the model ${model}${level}`;
}

/** The name of an actor such as `user:usr_…`, `bravo:usr_…` or `service:orchestrator`. */
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
      return line('person', `${who} opened the conversation in ${modeWord(word(data, 'mode'))} mode`);
    case 'agent.conversation.ended':
      return line('plain', `The conversation ended`, [sentence(word(data, 'reason'))]);
    case 'agent.conversation.mode_changed':
      return line(
        'person',
        `${who} switched from ${modeWord(word(data, 'from'))} to ${modeWord(word(data, 'to'))} mode`,
      );
    case 'agent.file.uploaded':
      return line('person', `${who} uploaded a file`, [
        data['lets_read'] === true ? 'Bravo may read it.' : 'Bravo is not shown it.',
      ]);
    case 'agent.file.removed':
      return line('person', `${who} took a ${word(data, 'kind')} away`);
    case 'agent.model.chosen':
      return line('person', tellModel(who, word(data, 'model'), word(data, 'effort')));
    case 'agent.context.compacted':
      return line('plain', `${String(data['messages'])} older messages were made smaller for ${word(data, 'model')}`, [
        'Only what the model is told changed; the record did not.',
      ]);
    case 'agent.instructions.told':
      return line('plain', `What @bravo is told at the beginning became version ${String(data['version'])}`);
    case 'agent.message.received':
      return word(data, 'source') === 'schedule'
        ? line('plain', 'The platform asked a line again')
        : word(data, 'source') === 'approval'
          ? line('plain', 'The platform went on with the work after the answer')
          : line('person', `${who} asked`, [data['queued'] === true ? 'It waited for the turn before it.' : '']);
    case 'agent.message.sent':
      return line('agent', `@bravo answered${word(data, 'status') === 'complete' ? '' : `: ${word(data, 'status')}`}`);
    case 'agent.turn.finished':
      return word(data, 'status') === 'completed'
        ? line('plain', 'The turn was completed')
        : line(
            'bad',
            word(data, 'status') === 'failed' ? 'The turn failed' : `The turn was ${word(data, 'status') || 'ended'}`,
            [sentence(word(data, 'error_code').replaceAll('_', ' '))],
          );
    case 'agent.tool.requested':
      return line('agent', `@bravo asked for ${tool}`);
    case 'agent.tool.decided':
      return tellDecision(data, line);
    case 'agent.tool.approval_requested':
      return line('ask', `A person was asked about ${tool}`, reasonsOf(data['asks']));
    case 'agent.grant.created':
      return line('person', `${who} granted ${word(data, 'operation') || 'a tool'} for a while`, [
        word(data, 'scope') === '' ? '' : `Only with the exact ${word(data, 'scope')} it was given for.`,
      ]);
    case 'agent.schedule.started':
      return line(
        'plain',
        word(data, 'source') === 'agent'
          ? `@bravo began a ${word(data, 'kind')}`
          : `${who} began a ${word(data, 'kind')}`,
      );
    case 'agent.schedule.fired':
      return line('plain', `The platform asked again (${word(data, 'kind')})`);
    case 'agent.schedule.ended':
      return line('plain', `A ${word(data, 'kind')} ended`, [sentence(word(data, 'reason').replaceAll('_', ' '))]);
    case 'agent.grant.revoked':
      return line('plain', 'A grant ended', [sentence(word(data, 'reason'))]);
    case 'agent.tool.approved':
      return line('good', `${who} approved ${tool}`, outputOf(tool, data['trust_output'] === true));
    case 'agent.tool.denied':
      return line('bad', `${who} denied ${tool}`);
    case 'agent.tool.expired':
      return line('bad', `The question about ${tool} expired unanswered, which refuses it`);
    case 'agent.tool.superseded':
      return line('bad', `The question about ${tool} ended unanswered: ${word(data, 'reason') || 'it was withdrawn'}`);
    case 'agent.tool.executed':
      return tellExecution(data, tool, line);
    case 'agent.code.executed':
      return line(
        data['exit_code'] === 0 ? 'good' : 'bad',
        `The sandbox ran ${word(data, 'language') || 'a program'}: ${word(data, 'outcome').replaceAll('_', ' ') || 'finished'}`,
      );
    case 'agent.content.quarantined':
      return line('plain', `What came back was put behind ref:${word(data, 'slot')}`, [
        sentence(word(data, 'origin')),
        '@bravo cannot read it.',
      ]);
    case 'agent.content.vouched':
      return line('person', `${who} vouched for the file of ref:${word(data, 'slot')}`, ['@bravo may read it.']);
    case 'agent.content.released':
      return line('plain', 'What came back was given to @bravo');
    case 'agent.pod.claimed':
      return line('plain', data['warm'] === true ? 'A waiting agent was taken' : 'A fresh agent was started');
    case 'agent.pod.released':
      return line('plain', 'The agent was released', [sentence(word(data, 'reason'))]);
    case 'agent.token.minted':
      return line('plain', `${word(data, 'kind') === 'agent' ? 'An agent' : 'An API'} token was made`, [
        sentence(word(data, 'reason')),
      ]);
    case 'agent.token.revoked':
      return line('plain', `${word(data, 'kind') === 'agent' ? 'The agent' : 'An API'} token was revoked`, [
        sentence(word(data, 'reason')),
      ]);
    default:
      return line('plain', entry.type.replace(/^agent\./, '').replace(/[._]/g, ' '), [sentence(word(data, 'reason'))]);
  }
}

type MakeLine = (tone: TrailTone, title: string, details?: string[]) => TrailLine;

function tellDecision(data: Data, line: MakeLine): TrailLine {
  const rule = word(data, 'rule');
  const by = rule === '' ? '' : ` by the rule ${rule}`;
  const reasons = reasonsOf(data['reasons']);
  switch (word(data, 'effect')) {
    case 'allow':
      return line('good', `Policy allowed it${by}`, reasons);
    case 'ask':
      return line('ask', `Policy left it to a person${by}`, reasons);
    default:
      return line('bad', `Policy refused it${by}`, reasons);
  }
}

function tellExecution(data: Data, tool: string, line: MakeLine): TrailLine {
  const refs = Number(data['refs']) || 0;
  const shown =
    refs === 0
      ? ''
      : `${refs === 1 ? 'One result is' : `${refs} results are`} behind a reference, out of @bravo’s sight.`;
  switch (word(data, 'status')) {
    case 'completed':
      return line('good', `${tool} ran`, [shown]);
    case 'outcome_unknown':
      return line('bad', `It is not known whether ${tool} had its effect`, ['It is not run again by itself.']);
    default:
      return line('bad', `${tool} ran and failed`, [word(data, 'error_code').replaceAll('_', ' '), shown]);
  }
}

function modeWord(mode: string): string {
  return { ask: 'Ask', coworker: 'Co-worker', voice: 'Voice' }[mode] ?? (mode || 'an unnamed');
}

/** Only what a program prints can be kept from @bravo; about any other tool nothing was decided here. */
function outputOf(tool: string, trusted: boolean): string[] {
  if (tool !== 'execute_script') return [];
  return [trusted ? '@bravo may read the output.' : 'The output is for the person alone.'];
}

/** A reason of a few words as a sentence. */
function sentence(words: string): string {
  if (words === '') return '';
  return words[0]!.toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? '' : '.');
}

function word(data: Data, key: string): string {
  const value = data[key];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

function reasonsOf(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  return list.map((reason: unknown) =>
    typeof reason === 'object' && reason !== null ? word(reason as Data, 'text') || word(reason as Data, 'code') : '',
  );
}

const FACTS: Record<string, string> = {
  digest: 'SHA-256',
  bytes: 'bytes',
  input_digest: 'input SHA-256',
  input_bytes: 'input bytes',
  output_digest: 'output SHA-256',
  output_bytes: 'output bytes',
  code_digest: 'code SHA-256',
  code_bytes: 'code bytes',
  stdout_bytes: 'stdout bytes',
  stderr_bytes: 'stderr bytes',
  call_digest: 'bound to call',
  exit_code: 'exit code',
  duration_ms: 'took',
  container_seconds: 'lived',
  input_tokens: 'tokens in',
  output_tokens: 'tokens out',
  label: 'label',
};

function factsOf(data: Data): [string, string][] {
  const facts: [string, string][] = [];
  for (const [key, name] of Object.entries(FACTS)) {
    const value = data[key];
    if (value === undefined || value === null || value === '') continue;
    if (key === 'label')
      facts.push([name, `${word(value as Data, 'integrity')}, ${word(value as Data, 'confidentiality')}`]);
    else if (key === 'duration_ms') facts.push([name, formatDuration(Number(value))]);
    else if (key === 'container_seconds') facts.push([name, formatDuration(Number(value) * 1000)]);
    else facts.push([name, String(value)]);
  }
  return facts;
}
