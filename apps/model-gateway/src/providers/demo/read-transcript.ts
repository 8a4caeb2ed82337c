/**
 * Separates the message of a fresh pod from the transcript in front of it.
 *
 * The transcript is a record: nothing in it is ever read as a new request. Its lines are JSON, so nothing said in a
 * conversation can spell the marks around them.
 */

export interface Told {
  /** What people and the platform said before, oldest first; empty without a transcript. */
  readonly earlier: readonly string[];
  readonly message: string;
}

const HEAD = /^\[platform\][^\n]*\n(?:\[platform\][^\n]*\n)*\[transcript\]\n/;
const END = '\n[/transcript]\n[message]\n';

export function readTranscript(text: string): Told {
  const head = HEAD.exec(text);
  const end = head ? text.indexOf(END, head[0].length - 1) : -1;
  if (!head || end === -1) return { earlier: [], message: text };
  const lines = text.slice(head[0].length, Math.max(head[0].length, end)).split('\n');
  return { earlier: lines.flatMap(saidBySomebody), message: text.slice(end + END.length) };
}

function saidBySomebody(line: string): string[] {
  try {
    const { role, content } = JSON.parse(line) as { role?: unknown; content?: unknown };
    return role !== 'assistant' && typeof content === 'string' ? [content] : [];
  } catch {
    return [];
  }
}
