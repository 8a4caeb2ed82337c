/**
 * Turns a person's message into requests in the order they were made.
 *
 * Requests are joined by "then", "and then" or "after that" (and, where both sides are plain, by "and", a comma, a
 * full stop or a line break). Text a person gives to be run or written is never cut at such a word unless a request
 * this planner knows follows it, outside quotes and code blocks.
 */
import { maskFences } from './code-fences.ts';
import type { Fence } from './code-fences.ts';
import { parseAsk } from './parse-ask.ts';
import { parseLater } from './parse-later.ts';
import { parseDelegate } from './parse-delegate.ts';
import { parseLook } from './parse-look.ts';
import { parseEdit, parseRef } from './parse-ref.ts';
import { parseRun } from './parse-run.ts';
import { parseWrite } from './parse-write.ts';
import { isCallRequest } from './request.ts';
import type { DemoRequest } from './request.ts';
import { bare, withoutLead } from './wording.ts';

/** More requests than this in one message are refused as a whole: nobody can follow them. */
export const MAX_REQUESTS = 20;
/** Joining words looked at in one message; past them the rest is one piece. */
const MAX_JOINTS = 200;
/** A piece longer than this is the code or the text of one request. */
const LONG = 2_000;
const JOINT = /(?<strong>\b(?:and[ \t]+)?(?:then|afterwards|after that)\b)|[.;!?,\n&]|\band\b/gi;
/** How every request that makes a call, or asks for help, begins. */
const STARTERS =
  /^(?:\uE000|run|ask me|watch|process|transform|convert|work|vet|replace|exec|eval|try|launch|in|into|using|with|python|py|node|js|java|bash|shell|sh|terminal|write|create|make|save|store|put|add|prepare|list|show|display|print|get|see|view|give|enumerate|name|tell|look|what|which|ls|dir|tree|open|read|cat|type|output|load|check|let me|help|commands|usage)/i;
const HELP =
  /^(?:help|\?+|commands|usage|instructions|menu|(?:show |list )?(?:me )?(?:the |your )?(?:help|commands|capabilities)|what (?:can|could|do) you (?:do|understand|know|offer)|what(?:'s| is) possible|what (?:are|is) your (?:capabilities|commands|abilities)|how (?:do|does|can|should) (?:i|this|it|you) (?:use (?:you|this|it)|work)|who are you|what are you|are you (?:a|an) .{1,40}|which tools do you have|what tools do you have)(?: here)?$/i;
const GREETING =
  /^(?:hi|hello|hey|hi there|hello there|good (?:morning|evening|afternoon|day)|moin|yo|greetings|ping|test)(?: @?bravo)?$/i;
const THANKS =
  /^(?:thanks|thank you|thx|cheers|great|perfect|nice|cool|ok|okay|good|bye|goodbye|well done)(?: (?:a lot|very much|so much|bravo|@bravo|you))?$/i;
const HINTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:delete|remove|erase|rename|move|copy|mkdir|rm|mv|cp)\b/i, 'I can neither delete nor move files.'],
  [
    /^(?:append|edit|change|replace|update|insert|fix|modify)\b/i,
    'I can only put one quoted text in place of another: in notes.txt replace "milk" with "oat milk".',
  ],
  [/^(?:search|find|grep|look for)\b/i, 'I cannot search; I can list files and show one.'],
  [/^(?:fetch|download|browse|open https?:|google|get https?:)|https?:\/\//i, 'I cannot fetch pages.'],
  [
    /^(?:calculate|compute|what(?:'s| is) \d|how much is|solve)/i,
    'I cannot calculate, but a script can: try "run this python: print(6*7)".',
  ],
];

export function parseRequests(message: string): DemoRequest[] {
  const { text, fences } = maskFences(message);
  if (text.trim() === '') return [{ kind: 'empty' }];
  const delegated = parseDelegate(message);
  if (delegated) return delegated;
  const requests: DemoRequest[] = [];
  let start = 0;
  while (start < text.length && requests.length <= MAX_REQUESTS) {
    const { end, next } = firstPiece(text, start, fences);
    const piece = next === text.length ? text.slice(start, end) : text.slice(start, end).replace(/[\s,]+$/, '');
    if (piece.replaceAll(/[\s.,;!?]/g, '') !== '' || start === 0) requests.push(...parseOne(piece, fences));
    start = next;
  }
  // A greeting in front of a request is politeness, not a request.
  const asked = requests.filter(({ kind }) => kind !== 'greeting' && kind !== 'thanks' && kind !== 'empty');
  return asked.length > 0 ? asked : requests.slice(0, 1);
}

/** Where the piece that begins at `start` ends, and where the one after it begins. */
function firstPiece(text: string, start: number, fences: readonly Fence[]): { end: number; next: number } {
  const rest = text.slice(start);
  let joints = 0;
  for (const joint of rest.matchAll(JOINT)) {
    const strong = joint.groups?.['strong'] !== undefined;
    if (!strong && joint.index > LONG) continue;
    if (++joints > MAX_JOINTS) break;
    const left = rest.slice(0, joint.index).replace(/[\s,]{1,100}$/, '');
    if (left === '') continue;
    const right = rest.slice(joint.index + joint[0].length);
    if (splits(left, right, strong, fences)) {
      return { end: start + joint.index, next: start + joint.index + joint[0].length };
    }
  }
  return { end: text.length, next: text.length };
}

function splits(left: string, right: string, strong: boolean, fences: readonly Fence[]): boolean {
  const known = startsRequest(right, fences);
  // Only code or text is that long, and those end at nothing less than a request after a strong joint.
  if (!known && (!strong || left.length > LONG)) return false;
  const [request] = parseOne(left, fences);
  if (!request || insideQuotes(left, request)) return false;
  if (isOpen(request, left)) {
    if (!strong || !known || left.endsWith(';')) return false;
    // "if …; then … fi" is one script, wherever its "then" stands.
    return !(request.kind === 'run' && request.language === 'bash' && /\bfi\b/.test(right));
  }
  return request.kind !== 'unknown' || (strong && known);
}

/** Whether more of the text could still belong to the request: its code or its text has no mark at the end. */
function isOpen(request: DemoRequest, piece: string): boolean {
  if (request.kind !== 'run' && request.kind !== 'write') return false;
  return !/[\uE001"”`][\s.]*$/.test(piece);
}

/** A joint inside a quoted text is none. Single quotes count in code only: in prose they are apostrophes. */
function insideQuotes(left: string, request: DemoRequest): boolean {
  const odd = (mark: string, within: string): boolean => within.split(mark).length % 2 === 0;
  if (odd('"""', left) || odd("'''", left)) return true;
  const line = left.slice(left.lastIndexOf('\n') + 1);
  if (odd('"', line) || odd('`', line) || line.split('“').length > line.split('”').length) return true;
  return request.kind === 'run' && odd("'", line);
}

/** Whether a request this planner knows begins here; it may itself be followed by others. */
function startsRequest(text: string, fences: readonly Fence[]): boolean {
  if (!STARTERS.test(withoutLead(text.slice(0, 200).replace(/^[\s,:]+/, '')))) return false;
  const ends = [...text.slice(0, 1_000).matchAll(JOINT)].slice(0, 6).map((joint) => joint.index);
  return [...ends, text.length].some((end) => {
    const piece = text.slice(0, end).replace(/^[\s,:]+/, '');
    return (
      piece.trim() !== '' &&
      parseOne(piece, fences).every((request) => isCallRequest(request) || request.kind === 'help')
    );
  });
}

/** One piece; only code blocks after one verb make several requests of it. */
function parseOne(source: string, fences: readonly Fence[]): DemoRequest[] {
  const piece = source.replace(/^[\s,:;.!]+/, '').trimEnd();
  const words = bare(piece.slice(0, 500));
  if (/^\s*\?+\s*$/.test(piece)) return [{ kind: 'help' }];
  if (words === '') return [{ kind: 'empty' }];
  if (piece.length < 200) {
    if (HELP.test(words)) return [{ kind: 'help' }];
    const all = piece.replace(/[\s.!?,]+$/, '');
    if (GREETING.test(words) || GREETING.test(all)) return [{ kind: 'greeting' }];
    if (THANKS.test(words)) return [{ kind: 'thanks' }];
  }
  const referred = parseAsk(piece) ?? parseLater(piece) ?? parseRef(piece) ?? parseEdit(piece);
  if (referred) return referred;
  const run = parseRun(piece, fences);
  if (run?.every(isCallRequest)) return run;
  const request = parseWrite(piece, fences);
  if (request && isCallRequest(request)) return [request];
  const look = parseLook(piece);
  if (look) return look;
  if (run) return run;
  if (request) return [request];
  const text = withoutLead(piece).slice(0, 200);
  const hint = HINTS.find(([pattern]) => pattern.test(text))?.[1];
  return [{ kind: 'unknown', text, ...(hint !== undefined && { hint }) }];
}
