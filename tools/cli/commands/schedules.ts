/** `schedules`: loops, goals and watches of a conversation, begun and ended by their person through the public API. */
import { parseArgs } from 'node:util';
import { visibleText } from '../../demo/visible-text.ts';
import { CommandError, type Command } from '../command.ts';
import { printJson, printLine } from '../output.ts';
import { asPerson, type CallApi } from '../person-api.ts';

interface Schedule {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly line: string;
  readonly every_seconds: number;
  readonly path: string;
  readonly fires: number;
  readonly due_at: string | null;
  readonly end_text: string;
}

const EXAMPLE = './bravo schedules loop --as alice --conversation cnv_… --line "check the build" --seconds 300';

export const command: Command = {
  summary: 'List, begin and stop the loops, goals and watches of a conversation, as its person.',
  usage:
    'schedules [list | loop --line LINE [--seconds N] | goal --line LINE | stop SCHEDULE] --as NAME --conversation ID [--workspace SLUG] [--json]',
  run: async ({ args, environment }) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        as: { type: 'string' },
        conversation: { type: 'string' },
        line: { type: 'string' },
        seconds: { type: 'string' },
        workspace: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    const [verb = 'list', id = '', ...more] = positionals;
    const { as, conversation, line } = values;
    if (!['list', 'loop', 'goal', 'stop'].includes(verb) || more.length > 0 || (verb === 'stop') !== (id !== ''))
      throw new CommandError('It is ./bravo schedules list, loop, goal, or stop with the id of one.', 2);
    if (!as || !conversation) throw new CommandError(`Say whose schedules of which conversation: ${EXAMPLE}`, 2);
    const begins = verb === 'loop' || verb === 'goal';
    if (begins && !line) throw new CommandError(`Say the line that is asked again: ${EXAMPLE}`, 2);
    const seconds = values.seconds === undefined ? {} : { every_seconds: readSeconds(values.seconds) };
    return asPerson(environment, { as: as, workspace: values.workspace, command: 'schedules' }, async (api) => {
      const call: CallApi = (method, path, body) =>
        api(method, `/bravo/conversations/${encodeURIComponent(conversation)}/schedules${path}`, body);
      if (verb === 'stop') {
        await call('DELETE', `/${encodeURIComponent(id)}`);
        if (values.json) printJson({ stopped: id });
        else printLine(`${visibleText(id)} is stopped: it asks for no turn any more.`);
      } else if (begins) {
        const answer = await call('POST', '', { kind: verb, line, ...seconds });
        if (values.json) printJson(answer);
        else printLine(`The ${verb} begins with ${(answer as { turn_id: string }).turn_id}.`);
      } else {
        const answer = (await call('GET', '')) as { schedules: Schedule[] };
        if (values.json) printJson(answer);
        else if (answer.schedules.length === 0) printLine('Nothing is scheduled in this conversation.');
        else for (const schedule of answer.schedules) for (const said of linesOf(schedule)) printLine(said);
      }
      return 0;
    });
  },
};

/** Bounds are the platform's to say. */
const readSeconds = (text: string): number => {
  if (!/^[0-9]{1,9}$/.test(text)) throw new CommandError('--seconds is a whole number.', 2);
  return Number(text);
};

const linesOf = (schedule: Schedule): string[] => {
  const { id, kind, status, every_seconds: every, path, fires, due_at: due, line, end_text: why } = schedule;
  const what = kind === 'watch' ? `watch of ${visibleText(path)}` : every > 0 ? `${kind} every ${every} s` : kind;
  const when = status !== 'live' ? `ended: ${why}` : due === null ? 'live' : `asked again at ${due}`;
  return [`${visibleText(id)}  ${what}, ${fires} turn(s), ${when}`, `    ${visibleText(line)}`];
};
