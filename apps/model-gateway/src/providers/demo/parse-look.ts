/** Reads "list the files in src" and "show notes.txt" in their many spellings; a word that is spelt like no path is no path. */
import type { DemoRequest } from './request.ts';
import { bare, isWebAddress, looksLikeFile, takePath } from './wording.ts';

const FOLDER = '(?:folder|directory|dir|subfolder|subdirectory)';
const WORKSPACE =
  /^(?:here|there|\.|\.\/|\/|root|(?:the|this|my|our|your)?\s*(?:(?:whole|current|root|top|main|working)\s+)?(?:workspace|conversation|project|root|folder|directory))$/i;
const LISTING = new RegExp(
  '^(?:list|show|display|print|get|see|view|give|enumerate|name|tell|look at|what are|what is|which are)\\s+(?:me\\s+|us\\s+)?(?:what\\s+|which\\s+)?(?:all\\s+|every\\s+|of\\s+)*(?:the\\s+|my\\s+|our\\s+|these\\s+|this\\s+)?(?:available\\s+|current\\s+|existing\\s+)?' +
    `(?:files?(?:\\s+and\\s+(?:folders|directories))?(?:\\s+(?:list|listing|names))?|${FOLDER}(?:\\s+(?:listing|tree))?|folders|directories|contents?|everything|listing|workspace|names)(?=\\s|$)(.*)$`,
  'i',
);
const QUESTION = /^(?:what|which)\s+(?:files?|folders?|directories|things)\b(.*)$/i;
const CHATTER =
  /^(?:\s*\b(?:are|is|do|does|we|i|you|have|has|got|exist|can|see|there|here|now|currently|available|stored|lie|lies)\b)*\s*/i;
const PLACE = /^(?:in|inside|of|under|from|at|within|on)\s+/i;
const HERE = /^what(?:'s| is| do (?:we|you|i) have)(?: there)?\s+((?:in|inside)\s+)?(.+)$/i;
const READ =
  /^(?:show|display|print|read|open|view|see|cat|type|output|get|load|look at|look into|check|give|let me (?:see|read))\s+(?:me\s+|us\s+)?(?:out\s+)?(?:what(?:'s| is) (?:in|inside|written in)\s+)?(?:the\s+|my\s+|our\s+|this\s+|a\s+)?(?:(?:whole|full|entire)\s+)?(?:(?:contents?|text)\s+of\s+)?/i;
const SAYS = /^what (?:does|do)\s+(?:the\s+)?(?:file\s+)?(.+?)\s+(?:say|says|contain|contains|hold|look like|read)$/i;

/** The listing or the readings the text asks for, or undefined. */
export function parseLook(source: string): DemoRequest[] | undefined {
  const text = bare(source);
  if (text === '' || text.length > 1_000 || text.includes('\n')) return undefined;
  return parseListing(text) ?? parseReading(text);
}

function parseListing(text: string): DemoRequest[] | undefined {
  const shell = /^(?:ls|dir|tree)(?:\s+-[\w-]+)*(?:\s+(.+))?$/i.exec(text);
  if (shell) return listing(shell[1] ?? '.', true);
  const phrase = LISTING.exec(text) ?? QUESTION.exec(text);
  if (phrase) {
    const rest = (phrase[1] ?? '').replace(CHATTER, '').trim();
    if (rest === '') return [{ kind: 'list' }];
    const place = PLACE.exec(rest);
    return place
      ? listing(rest.slice(place[0].length), /\bfiles?\b|\bnames\b/i.test(text.slice(0, text.length - rest.length)))
      : undefined;
  }
  const named = new RegExp(
    `^(?:list|show|open|see|view|look (?:in|into|inside|at))\\s+(?:me\\s+)?(?:(?:everything|what(?:'s| is))\\s+(?:in|inside)\\s+)?(.+)$`,
    'i',
  ).exec(text);
  const target = named?.[1] ?? '';
  if (/^list\s/i.test(text) || new RegExp(`\\b${FOLDER}\\b`, 'i').test(target) || target.endsWith('/'))
    return listing(target, /^list\s/i.test(text));
  const [, within, here = ''] = HERE.exec(text) ?? [];
  return here === '' || (within === undefined && !WORKSPACE.test(here)) ? undefined : listing(here, false);
}

/** `any`: the wording alone says that a directory is meant; else a word spelt like a file is none. */
function listing(target: string, any: boolean): DemoRequest[] | undefined {
  const text = target.trim();
  if (WORKSPACE.test(text)) return [{ kind: 'list' }];
  const words = text.replace(/^(?:the|my|our)\s+/i, '');
  const folder = new RegExp(`^${FOLDER}\\s+(?:called\\s+|named\\s+)?|\\s+${FOLDER}$`, 'i');
  const found = takePath(words.replace(folder, ''));
  if (!found || found.rest.trim() !== '' || isWebAddress(found.path)) return undefined;
  const certain = any || found.quoted || folder.test(words) || found.path.endsWith('/');
  if (!certain && (looksLikeFile(found.path) || /^(?:the|my|our)\s/i.test(text))) return undefined;
  const directory = found.path.replace(/(?<=.)\/+$/, '');
  return WORKSPACE.test(directory) ? [{ kind: 'list' }] : [{ kind: 'list', directory }];
}

function parseReading(text: string): DemoRequest[] | undefined {
  const says = SAYS.exec(text)?.[1] ?? /^what(?:'s| is) (?:in|inside|written in)\s+(.+)$/i.exec(text)?.[1];
  if (says !== undefined) return readings(says.replace(/^(?:the\s+)?(?:file\s+)?/i, ''), false);
  const phrase = READ.exec(text);
  if (!phrase) return undefined;
  const rest = text.slice(phrase[0].length);
  const file = /^(?:the\s+|my\s+)?(?:text\s+)?files?\s+(?:called\s+|named\s+)?/i.exec(rest);
  const article = /\b(?:the|my|our|this|a)\s+$/i.test(phrase[0]);
  const target = rest.slice(file?.[0].length ?? 0).replace(/^(?:the|my)\s+/i, '');
  return readings(target, file !== null || (/\S\s+file$/i.test(target) && !article) || !article);
}

/** Several names joined by commas and "and" are several readings. `any`: the wording alone says that a file is meant. */
function readings(target: string, any: boolean): DemoRequest[] | undefined {
  const parts = takePath(target)?.quoted ? [target] : target.split(/\s*,\s*(?:and\s+)?|\s+and\s+/i);
  const requests: DemoRequest[] = [];
  for (const part of parts) {
    const found = takePath(part.replace(/^(?:the\s+)?(?:file\s+)?(?=\S)/i, '').trim());
    if (!found || !/^(?:\s+file)?\s*$/i.test(found.rest) || isWebAddress(found.path) || found.path.endsWith('/'))
      return undefined;
    const certain =
      found.quoted || looksLikeFile(found.path) || (any && parts.length === 1 && /^[\p{L}\p{N}_-]+$/u.test(found.path));
    if (!certain) return undefined;
    requests.push({ kind: 'read', path: found.path });
  }
  return requests;
}
