/** Splits a processor's reply at its marker: what is before is a remark to the person, what is after is the document. One of three places where quarantined bytes are looked at; only at where the marker stands. */

export interface SplitAnswer {
  readonly remark: string;
  /** Absent: the reply names no document. */
  readonly document?: string;
}

/** Nobody who wrote an input can know it: it is made of the call's own id. */
export const markerOf = (toolCallId: string): string => `=== document ${toolCallId} ===`;

/** The first line that is exactly the marker splits; the line feed after it is not part of the document. */
export const splitAnswer = (reply: string, marker: string): SplitAnswer => {
  let from = 0;
  for (const line of reply.split('\n')) {
    if (line.trim() === marker)
      return { remark: reply.slice(0, from).trim(), document: reply.slice(from + line.length + 1) };
    from += line.length + 1;
  }
  return { remark: reply.trim() };
};

export const askForDocument = (instruction: string, marker: string): string =>
  [
    instruction,
    '',
    'How to answer: first, if there is anything to say about the work, say it in a few words. Then write this line, alone and exactly:',
    marker,
    'After it write the whole result and nothing else.',
  ].join('\n');
