/**
 * What the demo planner makes of an isolated task: a closed list of things to do with a text, each to the letter.
 *
 * It reads the frame of isolated calls (a task and its inputs, each one JSON string on one line) and nothing else.
 */
import type { ModelMessage, ModelTool } from '../model-provider.port.ts';

const MARKER = /^=== document \S+ ===$/m;
const DEEDS: readonly (readonly [RegExp, string, (text: string) => string])[] = [
  [/\b(?:upper[- ]?case|capitals)\b/i, 'upper case', (text) => text.toUpperCase()],
  [/\blower[- ]?case\b/i, 'lower case', (text) => text.toLowerCase()],
  [/\bsort\b/i, 'lines sorted', (text) => `${linesOf(text).sort().join('\n')}\n`],
  [/\breverse\b/i, 'lines reversed', (text) => `${linesOf(text).reverse().join('\n')}\n`],
  [/\bcount\b/i, 'lines counted', (text) => `${linesOf(text).length}\n`],
  [/\b(?:copy|repeat|unchanged|as it is)\b/i, 'copied', (text) => text],
];

/** The answer to an isolated task; undefined where the messages are a conversation. */
export function planIsolated(messages: readonly ModelMessage[], tools: readonly ModelTool[]): string | undefined {
  const last = messages.at(-1);
  if (tools.length > 0 || messages.length !== 2 || last?.role !== 'user' || !last.content.startsWith('Task: "'))
    return undefined;
  const [first = '', , ...lines] = last.content.split('\n');
  const task = JSON.parse(first.slice('Task: '.length)) as string;
  const text = lines.map((line) => readInput(line)).join('');
  const marker = MARKER.exec(task)?.[0];
  if (marker === undefined)
    return task.includes('"verdict"')
      ? 'The demo planner is no language model and judges nothing.'
      : 'The demo planner is no language model; it does not know this task.';
  const deed = DEEDS.find(([words]) => words.test(task.split('\n')[0] ?? ''));
  if (deed === undefined)
    return `The demo planner only knows: ${DEEDS.map(([, name]) => name).join(', ')}. It did nothing.`;
  const [, name, work] = deed;
  return `Demo planner: ${name}.\n${marker}\n${work(text)}`;
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

/** `ref:3: "…"`; a picture is no text. */
function readInput(line: string): string {
  const at = line.indexOf(': "');
  return at < 0 ? '' : (JSON.parse(line.slice(at + 2)) as string);
}
