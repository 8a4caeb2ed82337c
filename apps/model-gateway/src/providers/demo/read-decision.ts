/** Reads the platform's message that a person has decided a waiting call, or granted a refused one; every other text is none. */

export interface Decision {
  readonly approved: boolean;
  /** The question, or the refused call. */
  readonly approval: string;
  readonly tool: string;
  /** The arguments of the call that waited, exactly as told; undefined when they were too long to be told. */
  readonly arguments: Readonly<Record<string, unknown>> | undefined;
  /** What the person had asked for after it is done already. */
  readonly alone: boolean;
}

const DECISION =
  /^\s*\[platform\] The person (?:(approved|denied) the call you were waiting for|(granted) the call that was refused|(vouched) for the file of a call you made) \(((?:apr|tc)_\w+), tool ([\w-]+)\)/;

export const isPlatformMessage = (text: string): boolean => text.trimStart().startsWith('[platform]');

export function readDecision(text: string): Decision | undefined {
  const match = DECISION.exec(text);
  if (!match) return undefined;
  const told = text.indexOf('Arguments:', match[0].length);
  const args = told === -1 ? undefined : parseObject(text.slice(told + 'Arguments:'.length));
  const [, answered, granted, vouched, approval = '', tool = ''] = match;
  const approved = answered === 'approved' || granted !== undefined || vouched !== undefined;
  return { approved, approval, tool, arguments: args, alone: vouched !== undefined };
}

/** The JSON object at the beginning of the text; words may follow it. */
function parseObject(text: string): Record<string, unknown> | undefined {
  const start = text.indexOf('{');
  for (let end = text.lastIndexOf('}'); start !== -1 && end > start; end = text.lastIndexOf('}', end - 1)) {
    try {
      const parsed: unknown = JSON.parse(text.slice(start, end + 1));
      return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
        ? (parsed as Record<string, unknown>)
        : undefined;
    } catch {
      // A brace further left may be the end.
    }
  }
  return undefined;
}
