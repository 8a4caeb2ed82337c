/** `grants`: the live grants of a conversation, given and revoked by their person through the public API; what is granted is shown exactly. */
import { parseArgs } from 'node:util';
import { visibleText } from '../../demo/visible-text.ts';
import { CommandError, type Command } from '../command.ts';
import { printJson, printLine } from '../output.ts';
import { asPerson, type CallApi } from '../person-api.ts';

interface Grant {
  readonly id: string;
  readonly tool: string;
  readonly scope: Readonly<Record<string, unknown>>;
  readonly source: string;
  readonly expires_at: string;
}

const EXAMPLE = `./bravo grants give --as alice --conversation cnv_… --tool write_file --scope '{"path":"a.txt"}' --seconds 600`;

export const command: Command = {
  summary: 'List, give and revoke the grants of a conversation, as its person.',
  usage:
    'grants [list | give --tool TOOL --scope JSON [--seconds N] | revoke GRANT] --as NAME --conversation ID [--workspace SLUG] [--json]',
  run: async ({ args, environment }) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        as: { type: 'string' },
        conversation: { type: 'string' },
        tool: { type: 'string' },
        scope: { type: 'string' },
        seconds: { type: 'string' },
        workspace: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    const [verb = 'list', grantId = '', ...more] = positionals;
    const { as, conversation, tool } = values;
    if (!['list', 'give', 'revoke'].includes(verb) || more.length > 0 || (verb === 'revoke') !== (grantId !== ''))
      throw new CommandError('It is ./bravo grants list, give, or revoke with the id of one grant.', 2);
    if (!as || !conversation) throw new CommandError(`Say whose grants of which conversation: ${EXAMPLE}`, 2);
    if (verb === 'give' && (!tool || values.scope === undefined))
      throw new CommandError(`Say what is granted, exactly: ${EXAMPLE}`, 2);
    const body =
      verb === 'give' ? { tool, scope: readScope(values.scope ?? ''), ...readSeconds(values.seconds) } : undefined;
    return asPerson(environment, { as: as, workspace: values.workspace, command: 'grants' }, async (api) => {
      const call: CallApi = (method, path, body) =>
        api(method, `/bravo/conversations/${encodeURIComponent(conversation)}/grants${path}`, body);
      if (verb === 'revoke') {
        await call('DELETE', `/${encodeURIComponent(grantId)}`);
        if (values.json) printJson({ revoked: grantId });
        else printLine(`${visibleText(grantId)} is revoked: the next such call is asked about again.`);
        return 0;
      }
      const answer = verb === 'give' ? { grants: [await call('POST', '', body)] } : await call('GET', '');
      const { grants } = answer as { grants: Grant[] };
      if (values.json) printJson(answer);
      else if (grants.length === 0) printLine('No grant is live in this conversation.');
      else for (const grant of grants) for (const line of grantLines(grant)) printLine(line);
      return 0;
    });
  },
};

/** Every value in full and on a line of its own, with what cannot be seen as a symbol. */
const grantLines = ({ id, tool, scope, source, expires_at: ends }: Grant): readonly string[] =>
  [
    `${id}  ${tool}  until ${ends}  (${source.replace('_', ' ')})`,
    ...Object.entries(scope).map(([name, value]) => `    ${name} = ${JSON.stringify(value)}`),
  ].map((line) => visibleText(line));

const readScope = (text: string): object => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below.
  }
  throw new CommandError(
    `--scope takes arguments with their exact values as one JSON object, such as '{"path":"a.txt"}'.`,
    2,
  );
};

const readSeconds = (text: string | undefined): { ttl_seconds?: number } => {
  if (text === undefined) return {};
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new CommandError('--seconds takes a whole number from 1.', 2);
  return { ttl_seconds: Number(text) };
};
