/**
 * Reads what a tool call really gave back: text, references, a refusal or a wait.
 *
 * It takes both shapes a pod may hand on: the whole MCP result object as JSON (which may be cut at its end) and plain
 * text. Anything it cannot read is passed on as text, never left out.
 */

export type Outcome =
  | { readonly kind: 'text'; readonly text: string }
  /** `references`: `ref:N` each; `text` is everything the broker said, which holds no content of theirs. */
  | { readonly kind: 'references'; readonly references: readonly string[]; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'waiting'; readonly approval: string; readonly running: boolean };

/** Also a call that was approved and has not ended: making it again later picks up its end. */
const WAITING = /^\s*(?:waiting for approval|still running: approval) (apr_\w+)/i;
/** A reference as the broker lists one: at the beginning of a line. A file that merely mentions one is text. */
const REFERENCE = /^[ \t]*(?:[-*•][ \t]+)?(?:\w+[ \t]*[:=][ \t]*)?\[?(ref:[1-9]\d*)\b/gm;
const ERROR = /^\s*Error:\s*/;

export function readOutcome(content: string): Outcome {
  const { text, isError } = textOf(content);
  const waiting = WAITING.exec(text)?.[1];
  if (waiting !== undefined) return { kind: 'waiting', approval: waiting, running: /^\s*still/i.test(text) };
  if (isError || ERROR.test(text)) return { kind: 'refused', reason: text.replace(ERROR, '').trim() };
  const references = [...new Set([...text.matchAll(REFERENCE)].map((match) => match[1] ?? ''))];
  return references.length > 0 ? { kind: 'references', references, text } : { kind: 'text', text };
}

function textOf(content: string): { text: string; isError: boolean } {
  if (!content.trimStart().startsWith('{')) return { text: content, isError: false };
  let result: { content?: unknown; isError?: unknown } | null;
  try {
    result = JSON.parse(content) as typeof result;
  } catch {
    return { text: textOfCut(content) ?? content, isError: false };
  }
  if (!Array.isArray(result?.content)) return { text: content, isError: result?.isError === true };
  const parts = (result.content as ({ type?: unknown; text?: unknown } | null)[]).map((part) =>
    typeof part?.text === 'string' ? part.text : `(a part of kind ${String(part?.type ?? 'unknown')} that is no text)`,
  );
  return { text: parts.join('\n'), isError: result.isError === true };
}

/** The first text of a result that was cut before its JSON ended. */
function textOfCut(content: string): string | undefined {
  const start = /"text":\s*"/.exec(content);
  if (!start) return undefined;
  const from = start.index + start[0].length;
  let end = from;
  while (end < content.length && content[end] !== '"') end += content[end] === '\\' ? 2 : 1;
  // A cut in the middle of an escape leaves a piece that is no JSON; drop up to six characters until it is.
  for (let cut = 0; cut <= 6; cut += 1) {
    try {
      return JSON.parse(`"${content.slice(from, Math.min(end, content.length) - cut)}"`) as string;
    } catch {
      // Try again with one character less.
    }
  }
  return undefined;
}
