/**
 * Separates the message from the records in front of it: a fresh pod's transcript, and what the person is looking at.
 *
 * Nothing in a record is ever read as a new request. Records are JSON on one line each, so nothing said in a
 * conversation can spell the marks around them.
 */

export interface Told {
  /** What people and the platform said before, oldest first; empty without a transcript. */
  readonly earlier: readonly string[];
  readonly message: string;
}

const HEAD = /^\[platform\][^\n]*\n(?:\[(?:platform|summary)\][^\n]*\n)*\[transcript\]\n/;
const END = '\n[/transcript]\n';
const CONTEXT = /^\[platform\][^\n]*\n\[context\] [^\n]*\n\[message\]\n/;
const MESSAGE = '[message]\n';

export function readTranscript(text: string): Told {
  const head = HEAD.exec(text);
  const end = head ? text.indexOf(END, head[0].length - 1) : -1;
  if (!head || end === -1) return { earlier: [], message: afterContext(text) ?? text };
  const rest = text.slice(end + END.length);
  const message = rest.startsWith(MESSAGE) ? rest.slice(MESSAGE.length) : afterContext(rest);
  if (message === undefined) return { earlier: [], message: text };
  const lines = text.slice(head[0].length, Math.max(head[0].length, end)).split('\n');
  return { earlier: lines.flatMap(saidBySomebody), message };
}

const afterContext = (text: string): string | undefined => {
  const context = CONTEXT.exec(text);
  return context ? text.slice(context[0].length) : undefined;
};

function saidBySomebody(line: string): string[] {
  try {
    const { role, content } = JSON.parse(line) as { role?: unknown; content?: unknown };
    return role !== 'assistant' && typeof content === 'string' ? [content] : [];
  } catch {
    return [];
  }
}
