/**
 * Answers a question about a symbol. A place (path, position, kind) is structure and is told whatever the trust of its file; the
 * text at a place is read from the file by us and takes the ordinary treatment; a server's own text is a reference always.
 */
import { Fault } from '@bravo/faults';
import { showText } from '@bravo/policy';
import { pathOf, ServerTrouble } from '../../language-servers/language-session.ts';
import { extensionOf, type LanguageServer } from '../../language-servers/language-table.ts';
import { MAX_PLACES, type SymbolAnswer, type SymbolQuestion } from '../../language-servers/symbol-question.ts';
import type { Draw } from '../drawers.ts';
import { type BoundEffect, type EffectOutput, type EffectTools, type Execute, failed, targetOf } from '../effect.ts';
import { isText, plural } from '../text.ts';
import { type FoundPlace, lookAtPlaces } from './look-at-places.ts';

const MAX_SOURCE_BYTES = 1024 * 1024;
const CHANGED = 'The file changed while it was asked about. Ask again.';

export const lsp: Execute = async (effect, tools, signal) => {
  const { call, who, approvalId, toolCallId } = effect;
  const flaw = flawOf(call.arguments);
  if (flaw !== undefined) return failed('invalid_argument', flaw);
  const question = questionOf(effect);
  const servers = serversOf(question, tools, who.conversationId);
  if ('sentence' in servers) return failed('not_found', servers.sentence);
  const { server } = servers;
  // The yes was given for the server, so it holds for what is asked of it later.
  if (approvalId !== undefined) await tools.languages.keep(who.conversationId, server.language, toolCallId);
  const document = question.path === undefined ? undefined : await readSource(effect, question.path, tools);
  if (document !== undefined && 'status' in document) return document;
  let answer: SymbolAnswer & { readonly indexing: boolean };
  try {
    answer = await tools.languages.ask(who, server, question, document, signal);
  } catch (error) {
    if (error instanceof ServerTrouble) return failed(...tell(error, server));
    throw error;
  }
  const found = await lookAtPlaces(effect.who, answer.places.map(toPlace), tools);
  const summary = [
    sayWhat(question, server, found.places.length, answer),
    ...(found.withheld === 0
      ? []
      : [`${plural(found.withheld, 'place is', 'places are')} withheld: a permission rule denies reading there.`]),
    ...(answer.more
      ? [`There is more: an answer stops at ${question.operation === 'hover' ? 'its length' : `${MAX_PLACES} places`}.`]
      : []),
    ...(answer.unreadable === 0
      ? []
      : [
          `${plural(answer.unreadable, 'part')} of the answer had no shape of the protocol and ${answer.unreadable === 1 ? 'is' : 'are'} left out.`,
        ]),
    ...(answer.indexing
      ? ['The server was still indexing when it answered: this may not be everything. Ask again in a moment.']
      : []),
  ];
  return {
    status: 'completed',
    summary,
    outputs: [...placesOutput(found.places), ...textOutputs(found.places), ...hoverOutput(answer)],
  };
};

const questionOf = ({ call }: BoundEffect): SymbolQuestion => {
  const { operation, line = 1, character = 1, query = '' } = call.arguments;
  return {
    operation: operation as SymbolQuestion['operation'],
    path: 'path' in call.targets ? targetOf(call.targets, 'path') : undefined,
    line: Number(line),
    character: Number(character),
    query: String(query),
  };
};

/** What of the arguments does not go together, told before anybody is asked. */
export const flawOf = (given: BoundEffect['call']['arguments']): string | undefined => {
  const { operation, path, line, character, query } = given;
  if (operation === 'workspaceSymbol')
    return query === undefined ? 'workspaceSymbol needs query: the name to look for, or a part of it.' : undefined;
  if (path === undefined) return `${String(operation)} needs path: the file that holds the symbol.`;
  if (operation === 'documentSymbol') return undefined;
  return line === undefined || character === undefined
    ? `${String(operation)} needs line and character, both from 1: where the symbol stands in the file.`
    : undefined;
};

const serversOf = (
  { path }: SymbolQuestion,
  { languages }: Pick<EffectTools, 'languages'>,
  conversationId: string,
): { readonly server: LanguageServer } | { readonly sentence: string } => {
  if (path !== undefined) {
    const server = languages.serverOf(path);
    const ending = extensionOf(path);
    return server === undefined
      ? {
          sentence: `No language server is configured for ${ending === '' ? 'files without an ending' : `files ending in .${ending.slice(0, 32)}`}. That says nothing about what refers to the symbol.`,
        }
      : { server };
  }
  const [server] = languages.runningFor(conversationId);
  return server === undefined
    ? {
        sentence:
          'No language server runs for this conversation yet. Name any file of the language in path, and its server is started.',
      }
    : { server };
};

const readSource = async (
  { call, who }: BoundEffect,
  path: string,
  { sandbox }: Pick<EffectTools, 'sandbox'>,
): Promise<{ readonly path: string; readonly text: string } | ReturnType<typeof failed>> => {
  const revision = call.revisions[path];
  if (revision === null || revision === undefined)
    return failed('not_found', 'The file does not exist. Use list_files to see what is there.');
  const { content, truncated, facts } = await sandbox.read(who, path, MAX_SOURCE_BYTES);
  if (facts.kind !== 'file') return failed('invalid_argument', 'The path is not a file.');
  if (facts.landing !== path || facts.revision !== revision) return failed('conflict', CHANGED);
  if (truncated || !isText(content))
    return failed('invalid_argument', `The file is no text, or has more than ${MAX_SOURCE_BYTES} bytes.`);
  return { path, text: Buffer.from(content).toString('utf8') };
};

type Trouble = readonly [code: string, ...sentences: string[]];

const NOTHING = 'That says nothing about the symbol: the question was not answered.';

/** Each way of having no answer is another sentence, and none of them is an empty result. */
const tell = ({ why, message }: ServerTrouble, { title }: LanguageServer): Trouble => {
  switch (why) {
    case 'missing':
      return ['sandbox_unavailable', `There is no ${title} in the sandbox of this platform. ${NOTHING}`];
    case 'refused':
      return ['unavailable', `${title} was not started. ${message} ${NOTHING}`.replace('  ', ' ')];
    case 'not_started':
      return ['unavailable', `${title} was started and did not come up. ${NOTHING}`];
    case 'broken':
      return ['unavailable', `${title} said something that is none of its protocol, so it was ended. ${NOTHING}`];
    case 'too_much':
      return ['resource_exhausted', `${title} said more than is taken from it, so it was ended. ${NOTHING}`];
    case 'late':
      return ['deadline_exceeded', `${title} did not answer in time. ${NOTHING}`];
    case 'unable':
      return ['unavailable', `${title} cannot answer this. ${NOTHING}`];
    case 'gone':
      return ['unavailable', `${title} ended while it was asked. ${NOTHING} Asked again, it is started anew.`];
  }
};

const toPlace = ({ uri, ...place }: SymbolAnswer['places'][number]) => ({ ...place, path: pathOf(uri) });

const sayWhat = (
  { operation }: SymbolQuestion,
  { title }: LanguageServer,
  places: number,
  { text }: SymbolAnswer,
): string => {
  if (operation === 'hover' && text !== '') return `${title} answered.`;
  if (operation !== 'hover' && places > 0) return `${title} names ${plural(places, 'place')}.`;
  if (operation === 'documentSymbol' || operation === 'workspaceSymbol') return `${title} found no symbol.`;
  return `${title} found nothing at that position. One that no longer holds the symbol answers so too.`;
};

/** Where it leads is the answer to what was asked, so it is told whatever the trust of the file: one line, and nothing in it that hides. */
const placesOutput = (places: readonly FoundPlace[]): EffectOutput[] => {
  if (places.length === 0) return [];
  const lines = places.map(({ path, line, character, kind, state }) => {
    if (state === 'outside') return `(outside the workspace) line ${line}${kind === '' ? '' : `, ${kind}`}`;
    const where = `${showText(path).text}:${line}:${character}${kind === '' ? '' : ` (${kind})`}`;
    return state === 'gone' ? `(no file of the workspace is there) line ${line}` : where;
  });
  return [
    {
      origin: 'places, as path:line:character',
      name: '',
      kind: 'text',
      content: Buffer.from(lines.join('\n')),
      // A place has nothing in it but what was asked for and numbers; only names of files that are there are told.
      paths: ['trusted'],
    },
  ];
};

/** Read from the files by us: nothing a server says of a file becomes that file's word. */
const textOutputs = (places: readonly FoundPlace[]): EffectOutput[] =>
  [true, false].flatMap((vouched) => {
    const shown = places.filter(({ text, trust }) => text !== '' && (trust === 'trusted') === vouched);
    if (shown.length === 0) return [];
    const lines = shown.map(({ path, line, text }) => `${showText(path).text}:${line}: ${text}`);
    return [
      {
        origin: `the ${plural(shown.length, 'line')} at ${shown.length === 1 ? 'that place' : 'those places'}`,
        name: '',
        kind: 'text' as const,
        content: Buffer.from(lines.join('\n')),
        paths: shown.map(({ trust }) => trust),
      },
    ];
  });

/** It never says which file wrote it: a comment is written where the symbol is defined, so the file asked about vouches for nothing. */
const hoverOutput = ({ text }: SymbolAnswer): EffectOutput[] =>
  text === ''
    ? []
    : [
        {
          origin: 'what the language server says of the symbol',
          name: '',
          kind: 'text',
          content: Buffer.from(text),
          paths: ['untrusted'],
        },
      ];

/** @throws Fault invalid_argument where the arguments do not go together: then nobody is asked. */
export const drawLsp: Draw = async ({ call }, { languages }) => {
  const flaw = flawOf(call.arguments);
  if (flaw !== undefined) throw new Fault('invalid_argument', flaw);
  const server = 'path' in call.targets ? languages.serverOf(targetOf(call.targets, 'path')) : undefined;
  if (server === undefined) return {};
  return {
    notes: [
      { kind: 'value', name: 'starts', text: server.title },
      {
        kind: 'note',
        text: `It runs in this conversation's sandbox: it reads all files there and may run what they hold, has no network and changes no file. Your yes is kept for ${server.language} in this conversation.`,
      },
    ],
  };
};
