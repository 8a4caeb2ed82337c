/** The demo planner's sentences: short, plain, and never a claim that no tool result shows. */
import type { ModelTool } from '../model-provider.port.ts';
import { plainName, TOOL_OF } from './build-call.ts';
import type { Outcome } from './read-outcome.ts';
import type { CallRequest, DemoRequest } from './request.ts';

/** Stands at the beginning of every answer, so that nobody takes it for a language model's. */
export const MARK = '(demo planner)';
/** More of one result is not repeated: the person sees the whole on the card. */
const MAX_SHOWN = 8_000;

export const sayBefore = (request: CallRequest): string => {
  switch (request.kind) {
    case 'list':
      return `I list the files${request.directory === undefined ? '' : ` in ${request.directory}`}.`;
    case 'read':
      return `I read ${request.path}.`;
    case 'write':
      return request.contents === '' ? `I write ${request.path} as an empty file.` : `I write ${request.path}.`;
    case 'edit':
      return `I ask for a change of ${request.path}.`;
    case 'process':
      return `I have ${request.ref} worked on, without seeing it.`;
    case 'save':
      return `I ask for ${request.ref} to be written to ${request.path}, without seeing it.`;
    case 'delegate':
      return `I hand this to ${request.tasks.length === 1 ? `a ${request.as}` : `${request.tasks.length} ${request.as}s`}.`;
    case 'vet':
      return `I ask to be shown what is behind ${request.ref}.`;
    case 'watch':
      return `I watch ${request.path}.`;
    case 'again':
      return `I ask to look again in ${request.seconds} seconds.`;
    case 'ask':
      return 'I ask you.';
    case 'run':
      return `I ask for this ${request.language} code to be run.`;
  }
};

export function sayOutcome(what: string, outcome: Outcome): string {
  switch (outcome.kind) {
    case 'text':
      return outcome.text.trim() === '' ? `${what} gave nothing back.` : `${what} gave:\n${fenced(outcome.text)}`;
    case 'references':
      return (
        `${what} gave:\n${fenced(outcome.text)}\n` +
        `I may not see what ${joined(outcome.references)} ${outcome.references.length === 1 ? 'holds' : 'hold'}: it is kept from me because nobody vouched for it. ` +
        'You can see it on the card of this call.'
      );
    case 'refused':
      return `${what} was refused or failed: ${outcome.reason || 'no reason was given.'}`;
    case 'waiting':
      return outcome.running
        ? `${what} was approved (${outcome.approval}) and has not ended yet. I stop here; its end is on the card.`
        : `${what} waits for a person's answer (${outcome.approval}). I stop here and go on when it has been given.`;
  }
}

/** What is left undone when a list of requests ends early. */
export const sayLeft = (left: readonly DemoRequest[]): string =>
  left.length === 0
    ? ''
    : `\n\nNot done because of that: ${left.map(nameOf).join('; ')}. Ask again for what you still want.`;

export function sayUnknown(text: string, hint: string | undefined): string {
  const quoted = text.replaceAll(/\s+/g, ' ').trim();
  const cut = quoted.length > 80 ? `${[...quoted].slice(0, 80).join('')} …` : quoted;
  return `I do not understand “${cut}”. ${hint ?? 'I am no language model and only know a few plain requests; say "help" to see them.'}`;
}

export function sayHelp(tools: readonly ModelTool[]): string {
  const names = tools.map(({ name }) => plainName(name)).sort();
  return (
    'I am a fixed planner, not a language model. I understand these requests, also several of them joined by "then":\n' +
    '- list files · list the files in src\n' +
    '- show notes.txt\n' +
    '- write a file notes.txt with hello (also with a code block)\n' +
    '- in notes.txt replace "milk" with "oat milk"\n' +
    '- process ref:1: upper case (what I may not see) · write ref:2 to notes.txt · read ref:1 yourself\n' +
    '- ask me "Which colour?" [red | blue]\n' +
    '- watch notes.txt · look again in 90 seconds\n' +
    '- run this python: print(6*7) (also node and bash, and code blocks)\n' +
    '- run this python with data.csv: … (takes that file along)\n' +
    '- delegate to a reader: show notes.txt (also checker and worker; "|" between the tasks of several)\n' +
    `- help\n${names.length === 0 ? 'No tools are offered to me in this conversation.' : `Tools offered to me here: ${names.join(', ')}.`}`
  );
}

/** Of a delegate that has ended; its words are a record and no request. */
export const sayReport = ({ head, words }: { readonly head: string; readonly words: string }): string =>
  words === '' ? head : `${head.replace(/ Its report is a record.*$/, '')} It reports:\n${fenced(words)}`;

export const sayNotOffered = (request: CallRequest, tools: readonly ModelTool[]): string =>
  `I cannot do that here: ${TOOL_OF[request.kind]} is not offered to me, or not with what this needs${tools.length === 0 ? ' (no tools are offered at all)' : ''}. ` +
  'The mode of this conversation, your role or the settings of the workspace may leave it out.';

export const nameOf = (request: DemoRequest): string => {
  if (request.kind === 'list')
    return request.directory === undefined ? 'list files' : `list files in ${request.directory}`;
  if (request.kind === 'read') return `show ${request.path}`;
  if (request.kind === 'write') return `write ${request.path}`;
  if (request.kind === 'edit') return `edit ${request.path}`;
  if (request.kind === 'process') return `process ${request.ref}`;
  if (request.kind === 'save') return `save ${request.ref}`;
  if (request.kind === 'vet') return `read ${request.ref}`;
  if (request.kind === 'delegate') return `delegate to a ${request.as}`;
  if (request.kind === 'run') return `run ${request.language} code`;
  return request.kind === 'unknown' ? `“${request.text.slice(0, 40)}”` : request.kind;
};

/** The subject of a sentence about a call's outcome. */
export const subjectOf = (request: CallRequest): string => {
  switch (request.kind) {
    case 'list':
      return request.directory === undefined ? 'Listing the files' : `Listing ${request.directory}`;
    case 'read':
      return `Reading ${request.path}`;
    case 'write':
      return `Writing ${request.path}`;
    case 'edit':
      return `Editing ${request.path}`;
    case 'process':
      return `The work on ${request.ref}`;
    case 'save':
      return `Writing ${request.ref} to ${request.path}`;
    case 'vet':
      return `Reading ${request.ref}`;
    case 'watch':
      return `Watching ${request.path}`;
    case 'again':
      return 'The later look';
    case 'ask':
      return 'What I asked';
    case 'delegate':
      return `Handing on to ${request.tasks.length === 1 ? `a ${request.as}` : `${request.as}s`}`;
    case 'run':
      return `Running the ${request.language} code`;
  }
};

/** Longer than any run of marks inside, so that the block cannot end early. */
function fenced(text: string): string {
  const body = text.replace(/\n+$/, '');
  const shown =
    body.length > MAX_SHOWN
      ? `${body.slice(0, MAX_SHOWN).replace(/[\uD800-\uDBFF]$/, '')}\n(${body.length - MAX_SHOWN} more characters are on the card)`
      : body;
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map((run) => run[0].length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}\n${shown}\n${marks}`;
}

const joined = (words: readonly string[]): string => {
  const shown = words.length > 6 ? [...words.slice(0, 6), `${words.length - 6} more`] : words;
  return shown.length === 1 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}`;
};
