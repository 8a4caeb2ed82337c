/** Reads "write a file notes.txt with …" and its spellings; the text is kept as typed, and a path is never made up. */
import { fencesIn, unmask } from './code-fences.ts';
import type { Fence } from './code-fences.ts';
import type { DemoRequest } from './request.ts';
import { looksLikeFile, takePath, unquoted, withoutLead } from './wording.ts';

const VERB = '(?:write|create|make|save|store|put|add|prepare)';
const BEGINNING = new RegExp(`^(?:${VERB}|in|into)\\b`, 'i');
const VERB_FIRST = new RegExp(`^${VERB}\\s+`, 'i');
const ADJECTIVES = '(?:(?:me|a|an|the|my|new|empty|blank|text|simple|small|short)\\s+)*';
const NAMED = '(?:(?:called|named|at|under|as|titled)\\s+)?';
/** write a file called … */
const FILE_FIRST = new RegExp(`^${VERB}\\s+${ADJECTIVES}(?:file|document)\\b\\s*${NAMED}`, 'i');
/** write to notes.txt: … · save this as notes.txt: … */
const PLACE_FIRST = new RegExp(
  `^${VERB}\\s+(?:(?:this|that|the following|the text|text|the code|it)\\s+)?(?:to|into|in|as|at)\\s+${ADJECTIVES}(?:file\\s+)?${NAMED}`,
  'i',
);
/** create notes.txt with … */
const PATH_FIRST = new RegExp(`^${VERB}\\s+(?:(?:a|the|new)\\s+)*`, 'i');
/** in notes.txt write … */
const IN_PATH = /^(?:in|into)\s+(?:the\s+)?(?:file\s+)?/i;
const WITH =
  /^\s*,?\s*(?:and\s+(?:write|put)|(?:that|which)\s+(?:says|contains|holds|reads)|with|containing|saying|holding|:|=)\s*(?:(?:the|this|these|following|its|some)\s+)*(?:(?:text|contents?|words?|lines?|message|code|following)\b\s*)?(?:in it\s*)?:?[ \t]*/i;
/** The same without the words that only introduce the text, for a text that consists of such words. */
const WITH_ALONE =
  /^\s*,?\s*(?:and\s+(?:write|put)|(?:that|which)\s+(?:says|contains|holds|reads)|with|containing|saying|holding|:|=)[ \t]*/i;
const PLACE_LAST =
  /\s+(?:to|into|in|inside|as|at)\s+(?:(?:the|a|an|new|my)\s+)*((?:text\s+)?file\s+)?(?:(?:called|named)\s+)?/gi;
const TEXT_LEAD =
  /^(?:(?:the|this|these|following)\s+)*(?:text|words?|lines?|content|contents|message|code|following|this)\s*:?\s+/i;
const MADE_UP = 'I cannot make up text or code; give me the exact text and the name of the file.';
const NO_PATH = 'Say how the file is called and what it should hold, for example: write a file notes.txt with hello.';

/** The write the text asks for, or undefined when it asks for none. */
export function parseWrite(source: string, fences: readonly Fence[]): DemoRequest | undefined {
  const text = withoutLead(source);
  if (!BEGINNING.test(text)) return undefined;
  return (
    fileFirst(text, fences) ??
    placeFirst(text, fences) ??
    pathFirst(text, fences) ??
    inPath(text, fences) ??
    textFirst(text, fences) ??
    missing(text)
  );
}

function fileFirst(text: string, fences: readonly Fence[]): DemoRequest | undefined {
  const head = FILE_FIRST.exec(text.slice(0, 300));
  const found = head && takePath(text.slice(head[0].length));
  if (!found || /^(?:with|containing|that|which|saying|to|in|into|for)$/i.test(found.path)) return undefined;
  return withContents(found, fences);
}

function placeFirst(text: string, fences: readonly Fence[]): DemoRequest | undefined {
  const head = PLACE_FIRST.exec(text.slice(0, 300));
  const found = head && takePath(text.slice(head[0].length));
  if (!found || found.rest.trim() === '' || !(found.quoted || looksLikeFile(found.path) || /file\s+$/i.test(head[0])))
    return undefined;
  const direct = found.rest.replace(/^\s*(?::|,)?\s*/, ' ');
  return WITH.test(found.rest) ? withContents(found, fences) : write(found.path, direct, fences);
}

function pathFirst(text: string, fences: readonly Fence[]): DemoRequest | undefined {
  const head = PATH_FIRST.exec(text.slice(0, 300));
  const found = head && takePath(text.slice(head[0].length));
  return found && looksLikeFile(found.path) ? withContents(found, fences) : undefined;
}

function inPath(text: string, fences: readonly Fence[]): DemoRequest | undefined {
  const head = IN_PATH.exec(text);
  const found = head && takePath(text.slice(head[0].length));
  const verb = found && /^\s*,?\s*(?:please\s+)?(?:write|put|save|store)\b\s*:?/i.exec(found.rest);
  return found && verb && looksLikeFile(found.path)
    ? write(found.path, found.rest.slice(verb[0].length), fences)
    : undefined;
}

/** write hello to notes.txt: the last place that is spelt like a file wins, so that the text may say "to" itself. */
function textFirst(text: string, fences: readonly Fence[]): DemoRequest | undefined {
  const from = Math.max(0, text.length - 400);
  const places = [...text.slice(from).matchAll(PLACE_LAST)].reverse();
  for (const place of places) {
    const found = takePath(text.slice(from + place.index + place[0].length));
    if (!found || !/^[\s.!?]*$/.test(found.rest)) continue;
    if (!found.quoted && !looksLikeFile(found.path) && place[1] === undefined) continue;
    const words = text.slice(0, from + place.index).replace(VERB_FIRST, '');
    return write(found.path, words.replace(TEXT_LEAD, ''), fences);
  }
  return undefined;
}

function withContents(found: { path: string; rest: string }, fences: readonly Fence[]): DemoRequest | undefined {
  if (/^[\s.!?]*$/.test(found.rest)) return { kind: 'write', path: found.path, contents: '' };
  const opener = WITH.exec(found.rest.slice(0, 200));
  const contents = opener && found.rest.slice(opener[0].length);
  if (contents?.trim() === '') return write(found.path, found.rest.replace(WITH_ALONE, ''), fences);
  if (contents) return write(found.path, contents, fences);
  // A code block straight after the name needs no word between.
  return /^\s*\uE000\d+\uE001\s*$/.test(found.rest) ? write(found.path, found.rest, fences) : undefined;
}

function write(path: string, source: string, fences: readonly Fence[]): DemoRequest {
  return { kind: 'write', path, contents: contentsOf(source, fences) };
}

/** A code block becomes its lines with a line end; quotes around the whole are no part of the text. */
function contentsOf(source: string, fences: readonly Fence[]): string {
  const text = source.trim();
  const [only, second] = fencesIn(text, fences);
  if (only && !second && only.before.trim() === '' && /^\uE000\d+\uE001$/.test(text)) return `${only.fence.code}\n`;
  const words = text.replace(/\s+(?:in it|inside it|inside)$/i, '');
  return unmask(unquoted(words) ?? unquoted(text.replace(/[.]$/, '')) ?? words, fences);
}

function missing(text: string): DemoRequest | undefined {
  if (/^(?:in|into)\b/i.test(text)) return undefined;
  const creative =
    /^\w+\s+(?:me\s+)?(?:a|an|some|the)\s+(?:\w+\s+){0,3}(?:script|program|poem|story|essay|function|code|class|app)\b/i.test(
      text,
    );
  return { kind: 'unknown', text: text.slice(0, 200), hint: creative ? MADE_UP : NO_PATH };
}
