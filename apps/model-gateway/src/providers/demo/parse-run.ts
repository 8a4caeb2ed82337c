/** Reads "run this python: …" and its many spellings; the code is kept exactly as typed, and a language is never guessed. */
import { fencesIn, FENCE_MARK } from './code-fences.ts';
import type { Fence } from './code-fences.ts';
import { languageOf } from './request.ts';
import type { DemoRequest, Language } from './request.ts';
import { looksLikeFile, takePath, unquoted, withoutLead } from './wording.ts';

const LANGUAGE = 'python ?3?|py|node\\.?js|node|java ?script|js|bash|shell|sh|terminal';
const VERB = /^(?:run|execute|exec|evaluate|eval|try out|try|launch)\b[ \t]*/i;
const FILLER =
  /^(?:this|that|these|those|the|following|some|a|an|my|piece of|bit of|little|short|small|quick|snippet|code|script|program|command|commands|lines?|one-liner|block|here|below|please|for me|of|in|with|using|as)\b[ \t]*/i;
const FILLER_AFTER_LANGUAGE =
  /^(?:code|script|program|snippet|commands?|lines?|one-liner|block|here|below|please|for me|this)\b[ \t]*/i;
const LANGUAGE_WORD = new RegExp(`^(?:${LANGUAGE})(?![\\w./-])[ \\t]*`, 'i');
const LANGUAGE_FIRST = new RegExp(
  `^(?:(?:in|using|with)[ \\t]+)?(${LANGUAGE})[ \\t]*(?:code|script|program|snippet|command)?[ \\t]*(?:,[ \\t]*(?:run|execute|eval(?:uate)?)\\b[ \\t]*:?|:)`,
  'i',
);
const LANGUAGE_LAST = new RegExp(
  `^([\\s\\S]+?)[ \\t]+(?:in|with|using|as)[ \\t]+(${LANGUAGE})(?:[ \\t]+please)?[.!?]*$`,
  'i',
);
const FILES = /^with[ \t]+(?:the[ \t]+)?(?:files?[ \t]+)?([^\n:]{1,400}):/i;
const OTHER_LANGUAGE =
  /^(?:ruby|perl|php|go|golang|rust|java|c|c\+\+|c#|typescript|ts|sql|r|lua|swift|kotlin|powershell)\b(?=\s*(?::|code|script|program))/i;

export const NO_LANGUAGE = 'Say which language it is: python, node or bash.';
const OTHER = 'I can have python, node and bash run, nothing else.';
const NO_CODE = 'There is no code in the message; write it after a colon or in a code block.';
const STORED_FILE = 'I can only have code run that stands in the message; ask me to show the file first.';

interface Head {
  language: Language | undefined;
  command: boolean;
  files: readonly string[];
  rest: string;
  colon: boolean;
}

/** The runs the text asks for (one per code block), or undefined when it asks for none. */
export function parseRun(source: string, fences: readonly Fence[]): DemoRequest[] | undefined {
  const text = withoutLead(source);
  const found = fencesIn(text, fences);
  if (found.length > 0) return parseFenced(text, found);
  const first = LANGUAGE_FIRST.exec(text.slice(0, 200));
  if (first) return [finish(text, languageOf(first[1] ?? ''), text.slice(first[0].length), [])];
  if (!VERB.test(text)) return undefined;

  const head = readHead(text.replace(VERB, ''));
  if (head.colon || head.language) {
    if (!head.language && OTHER_LANGUAGE.test(head.rest)) return [{ kind: 'unknown', text, hint: OTHER }];
    return [finish(text, head.language ?? (head.command ? 'bash' : undefined), head.rest, head.files)];
  }
  if (OTHER_LANGUAGE.test(head.rest)) return [{ kind: 'unknown', text, hint: OTHER }];
  // The language may stand at the end: run `print(1)` in python.
  const tail = head.rest.length > 4_000 ? null : LANGUAGE_LAST.exec(head.rest);
  if (tail) return [finish(text, languageOf(tail[2] ?? ''), tail[1] ?? '', head.files)];
  if (head.command && head.rest.trim() !== '') return [finish(text, 'bash', head.rest, head.files)];
  const stored = takePath(head.rest);
  if (stored && stored.rest.trim() === '' && looksLikeFile(stored.path))
    return [{ kind: 'unknown', text, hint: STORED_FILE }];
  return [{ kind: 'unknown', text, hint: head.rest.trim() === '' ? NO_CODE : NO_LANGUAGE }];
}

function parseFenced(text: string, found: readonly { before: string; fence: Fence }[]): DemoRequest[] | undefined {
  const opening = found[0]?.before.trim() ?? '';
  const spoken = LANGUAGE_FIRST.test(`${opening}${opening.endsWith(':') ? '' : ':'}`);
  if (opening !== '' && !VERB.test(opening) && !spoken) return undefined;
  // Code blocks alone, without a word, are read as "run this".
  if (opening === '' && text.replaceAll(new RegExp(FENCE_MARK, 'g'), '').trim() !== '') return undefined;
  let last: Language | undefined;
  return found.map(({ before, fence }): DemoRequest => {
    const head = readHead(withoutLead(before.replace(/^[\s,;.]*(?:and\b)?/i, '')).replace(VERB, ''));
    const language = languageOf(fence.info) ?? (fence.info === '' ? (head.language ?? last) : undefined);
    last = language;
    if (language) return finish(text, language, fence.code, head.files, true);
    return { kind: 'unknown', text: text.slice(0, 200), hint: fence.info === '' ? NO_LANGUAGE : OTHER };
  });
}

/** Takes the words between the verb and the code. */
function readHead(source: string): Head {
  const head: Head = { language: undefined, command: false, files: [], rest: source, colon: false };
  for (let round = 0; round < 16; round += 1) {
    const files = FILES.exec(head.rest.slice(0, 500));
    if (files) {
      const paths = readPaths(files[1] ?? '');
      if (paths) return { ...head, files: paths, rest: head.rest.slice(files[0].length), colon: true };
    }
    const word =
      (head.language ? FILLER_AFTER_LANGUAGE : FILLER).exec(head.rest) ??
      (head.language ? null : LANGUAGE_WORD.exec(head.rest));
    if (!word) break;
    const language = languageOf(word[0].trim());
    if (language) head.language = language;
    if (/^command/i.test(word[0])) head.command = true;
    head.rest = head.rest.slice(word[0].length);
  }
  if (/^\s*:/.test(head.rest)) return { ...head, rest: head.rest.replace(/^\s*:/, ''), colon: true };
  return head;
}

function readPaths(text: string): string[] | undefined {
  const paths = text.split(/\s*,\s*(?:and\s+)?|\s+and\s+/).map((part) => takePath(part.trim()));
  if (!paths.every((item) => item !== undefined && item.rest.trim() === '' && looksLikeFile(item.path)))
    return undefined;
  return paths.map((item) => item?.path ?? '');
}

function finish(
  text: string,
  language: Language | undefined,
  source: string,
  files: readonly string[],
  fenced = false,
): DemoRequest {
  const code = fenced ? source : tidy(source);
  if (code.trim() === '') return { kind: 'unknown', text: text.slice(0, 200), hint: NO_CODE };
  if (!language) return { kind: 'unknown', text: text.slice(0, 200), hint: NO_LANGUAGE };
  return { kind: 'run', language, code, files };
}

/** Code as typed, without the blank lines around it, the inline marks around the whole, or the indent all its lines share. */
function tidy(source: string): string {
  const below = /^[ \t]*\n/.test(source);
  const code = source.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
  // A sentence mark after the closing bracket belongs to the sentence: no language here ends a program with it.
  const inline = code.trim().replace(/\)\.$/, ')');
  if (inline.startsWith('`')) return unquoted(inline) ?? inline;
  // Code that begins on the line of the request has no indent of its own to measure.
  if (!below) return inline;
  const lines = code.split('\n');
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const shared = indents.reduce((least, indent) => Math.min(least, indent), Number.MAX_SAFE_INTEGER);
  return lines.map((line) => line.slice(shared)).join('\n');
}
