/** `approvals`: what waits for a person, drawn as a page draws it, and their answer through the public API; nothing is approved that was not shown. */
import { parseArgs } from 'node:util';
import { askPerson } from '../../demo/ask-person.ts';
import { visibleText } from '../../demo/visible-text.ts';
import { answerQuestions, type QuestionAnswer, type ShownQuestion } from '../approvals/answer-questions.ts';
import { drawRows, type Row } from '../approvals/draw-rows.ts';
import { CommandError, type Command } from '../command.ts';
import { printJson, printLine } from '../output.ts';
import { asPerson } from '../person-api.ts';

interface Waiting {
  readonly tool_call_id: string;
  readonly conversation_id: string;
  readonly tool: string;
  readonly why: string;
  readonly expires_at: string;
  readonly asks: readonly { readonly text: string }[];
  readonly trust_output_offered: boolean;
  readonly remember_rule: string;
}

interface Drawn {
  readonly rows: readonly Row[];
  readonly symbols: number;
  readonly questions?: readonly ShownQuestion[];
}

const VERBS = ['list', 'show', 'approve', 'deny', 'answer'];

export const command: Command = {
  summary: 'Show what waits for a person, and answer it: a yes, a no, or answers to what @bravo asks.',
  usage:
    'approvals [list | show CALL | approve CALL [--read-output] [--remember] [--yes] | deny CALL | answer CALL [--answers JSON]] --as NAME [--workspace SLUG] [--json]',
  run: async ({ args, environment }) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        as: { type: 'string' },
        workspace: { type: 'string' },
        answers: { type: 'string' },
        'read-output': { type: 'boolean', default: false },
        remember: { type: 'boolean', default: false },
        yes: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    });
    const [verb = 'list', id = '', ...more] = positionals;
    if (!VERBS.includes(verb) || more.length > 0 || (verb === 'list') !== (id === ''))
      throw new CommandError(
        'It is ./bravo approvals list, or show, approve, deny or answer with the id of one call.',
        2,
      );
    if (!values.as) throw new CommandError('Say whose: ./bravo approvals --as alice', 2);
    return asPerson(
      environment,
      { as: values.as, workspace: values.workspace, command: 'approvals', ttlSeconds: 900 },
      async (api) => {
        const call = async <T>(path: string, body?: object): Promise<T> =>
          (await api(body === undefined ? 'GET' : 'POST', `/bravo${path}`, body)) as T;
        const { approvals } = await call<{ approvals: Waiting[] }>('/approvals');
        if (verb === 'list') {
          if (values.json) printJson(approvals);
          else if (approvals.length === 0) printLine('Nothing waits.');
          else for (const waiting of approvals) for (const line of describe(waiting)) printLine(line);
          return 0;
        }
        const waiting = approvals.find((one) => one.tool_call_id === id);
        if (waiting === undefined)
          throw new CommandError(
            'No such call waits for that person: it was decided, it expired, or it is somebody else’s.',
          );
        const at = `/conversations/${encodeURIComponent(waiting.conversation_id)}/tool-calls/${encodeURIComponent(id)}`;
        const drawn = await call<Drawn>(`${at}/preview`);
        if (values.json && verb === 'show') printJson({ ...waiting, preview: drawn });
        if (!values.json)
          for (const line of [...describe(waiting), ...drawRows(drawn.rows), ...warnOf(drawn)]) printLine(line);
        if (verb === 'show') return 0;
        const body = await bodyOf(verb, waiting, drawn, values);
        const decided =
          body === undefined ? await call<object>(`${at}/deny`, {}) : await call<object>(`${at}/approve`, body);
        if (values.json) printJson(decided);
        else
          printLine(
            body === undefined ? 'Denied.' : verb === 'answer' ? 'Answered.' : 'Approved, once, for exactly this call.',
          );
        return 0;
      },
    );
  },
};

/** What goes with a yes; undefined: it is a no. */
const bodyOf = async (
  verb: string,
  waiting: Waiting,
  { questions }: Drawn,
  given: {
    readonly 'read-output': boolean;
    readonly remember: boolean;
    readonly yes: boolean;
    readonly answers?: string | undefined;
  },
): Promise<object | undefined> => {
  if (verb === 'deny') return undefined;
  if ((verb === 'answer') !== (questions !== undefined))
    throw new CommandError(
      questions === undefined
        ? 'This call wants a yes or a no: approve or deny it.'
        : 'These are questions: answer them, or deny to answer none.',
      2,
    );
  if (questions !== undefined) {
    const answers = given.answers === undefined ? await answerQuestions(questions) : readAnswers(given.answers);
    if (answers === undefined)
      throw new CommandError('The input ended before the last question, so nothing was answered.');
    return { answers };
  }
  if (given['read-output'] && !waiting.trust_output_offered)
    throw new CommandError('Letting @bravo read the output is not offered for this call.', 2);
  if (given.remember && waiting.remember_rule === '')
    throw new CommandError('This call is asked about each time, so there is nothing to remember of it.', 2);
  if (given.remember) printLine(`  This rule goes into your own settings: ${visibleText(waiting.remember_rule)}`);
  const yes = given.yes || ['read', 'approve'].includes(await askPerson('  [y] approve   [n] deny  > '));
  return yes
    ? { ...(given['read-output'] ? { trust_output: true } : {}), ...(given.remember ? { remember: true } : {}) }
    : undefined;
};

const readAnswers = (text: string): readonly QuestionAnswer[] => {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value as QuestionAnswer[];
  } catch {
    // Said below.
  }
  throw new CommandError(
    `--answers takes a JSON list such as '[{"question":1,"options":[2]},{"question":2,"words":"…"},{"question":3,"skip":true}]'.`,
    2,
  );
};

const describe = ({
  tool_call_id: id,
  conversation_id: conversation,
  tool,
  why,
  expires_at: ends,
  asks,
}: Waiting): readonly string[] =>
  [
    `${id}  ${tool}  until ${ends}  in ${conversation}`,
    ...(why === '' ? [] : [`  @bravo says: ${why}`]),
    ...asks.map(({ text }) => `  ${text}`),
  ].map((line) => visibleText(line));

const warnOf = ({ symbols }: Drawn): readonly string[] =>
  symbols === 0
    ? []
    : [`  ! ${symbols} characters here cannot be seen or are not what they look like; each is drawn as a symbol.`];
