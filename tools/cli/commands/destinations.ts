/** `destinations`: where the trail of a workspace is delivered to, set and seen through the public API as a person; a secret is read from a file or standard input, never from the command line. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { visibleText } from '../../demo/visible-text.ts';
import { CommandError, type Command } from '../command.ts';
import { printJson, printLine } from '../output.ts';
import { asPerson, type CallApi } from '../person-api.ts';

interface Destination {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly url: string;
  readonly format: string;
  readonly every_seconds: number;
  readonly region: string;
  readonly certificates: string;
  readonly paused: boolean;
  readonly next_index: number;
  readonly size: number;
  readonly failing_since: string;
  readonly problem: string;
}

const EXAMPLE = './bravo destinations add --as alice --name SIEM --kind syslog --url tls://siem.example.com:6514';
const VERBS = ['list', 'add', 'pause', 'resume', 'remove'];

export const command: Command = {
  summary: 'List, add, pause, resume and remove the places the trail of a workspace is delivered to, as an admin.',
  usage:
    'destinations [list | add --name NAME --kind syslog|webhook|s3 --url URL [--format FORMAT] [--every SECONDS] [--region REGION] [--certificates FILE] [--secret FILE|-] [--from now|beginning|INDEX] | pause ID | resume ID [--from …] | remove ID] --as NAME [--workspace SLUG] [--json]',
  run: async ({ args, environment }) => {
    const text = { type: 'string' } as const;
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...{ as: text, name: text, kind: text, url: text, format: text, every: text, region: text },
        ...{ certificates: text, secret: text, from: text, workspace: text },
        json: { type: 'boolean', default: false },
      },
    });
    const [verb = 'list', id = '', ...more] = positionals;
    const needsId = ['pause', 'resume', 'remove'].includes(verb);
    if (!VERBS.includes(verb) || more.length > 0 || needsId !== (id !== ''))
      throw new CommandError('It is ./bravo destinations list, add, or pause, resume or remove with the id of one.', 2);
    if (!values.as) throw new CommandError(`Say as whom: ${EXAMPLE}`, 2);
    if (verb === 'add' && (!values.name || !values.kind || !values.url))
      throw new CommandError(`Say what is added: ${EXAMPLE}`, 2);
    const added = verb === 'add' ? draftOf(values) : {};
    return asPerson(
      environment,
      { as: values.as, workspace: values.workspace, command: 'destinations' },
      async (api) => {
        const call: CallApi = (method, path, body) => api(method, `/audit/destinations${path}`, body);
        const path = `/${encodeURIComponent(id)}`;
        if (verb === 'remove') {
          await call('DELETE', path);
          if (values.json) printJson({ removed: id });
          else printLine(`${visibleText(id)} is removed: nothing more is delivered to it.`);
          return 0;
        }
        if (verb === 'add') return tell(await call('POST', '', added), values.json);
        const listed = (await call('GET', '')) as { destinations: Destination[] };
        if (verb === 'list') {
          if (values.json) printJson(listed);
          else if (listed.destinations.length === 0) printLine('The trail is delivered nowhere.');
          else for (const one of listed.destinations) for (const line of linesOf(one)) printLine(line);
          return 0;
        }
        const found = listed.destinations.find((one) => one.id === id);
        if (!found) throw new CommandError('There is no such destination.');
        const { name, kind, url, format, every_seconds, region, certificates } = found;
        const kept = { name, kind, url, format, every_seconds, region, certificates };
        return tell(
          await call('PUT', path, { ...kept, paused: verb === 'pause', ...fromOf(values.from) }),
          values.json,
        );
      },
    );
  },
};

type Values = Readonly<Record<string, string | boolean | undefined>>;

const draftOf = (values: Values): object => {
  const { name, kind, url, format, every, region, certificates, secret, from } = values as Record<
    string,
    string | undefined
  >;
  if (every !== undefined && !/^[1-9]\d{0,4}$/.test(every))
    throw new CommandError('--every takes whole seconds from 1.', 2);
  return {
    ...{ name, kind, url, ...fromOf(from) },
    ...(format === undefined ? {} : { format }),
    ...(region === undefined ? {} : { region }),
    ...(every === undefined ? {} : { every_seconds: Number(every) }),
    ...(certificates === undefined ? {} : { certificates: readFile(certificates, '--certificates') }),
    ...(secret === undefined ? {} : { secret: readSecret(secret) }),
  };
};

const fromOf = (from: string | undefined): object =>
  from === undefined ? {} : { from: /^\d{1,15}$/.test(from) ? Number(from) : from };

const readFile = (file: string, option: string): string => {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch {
    throw new CommandError(`The file of ${option} cannot be read.`, 2);
  }
};

const readSecret = (file: string): object => {
  try {
    const value: unknown = JSON.parse(readFile(file, '--secret'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    if (error instanceof CommandError) throw error;
  }
  throw new CommandError(
    '--secret takes a file with one JSON object, such as {"access_key_id":"…","secret_access_key":"…"}.',
    2,
  );
};

const tell = (answer: unknown, json: boolean): number => {
  const { destination, signing_secret: secret } = answer as { destination: Destination; signing_secret: string };
  if (json) printJson(answer);
  else {
    for (const line of linesOf(destination)) printLine(line);
    if (secret !== '') printLine(`    its signing secret, told this once: ${secret}`);
  }
  return 0;
};

const linesOf = ({
  id,
  name,
  kind,
  url,
  format,
  paused,
  next_index,
  size,
  failing_since,
  problem,
}: Destination): readonly string[] =>
  [
    `${id}  ${name}  (${kind}, ${format}${paused ? ', paused' : ''})  ${url}`,
    next_index >= size ? `    has all ${size} entries` : `    has no entry from ${next_index} on; ${size} are signed`,
    ...(problem === '' ? [] : [`    takes nothing since ${failing_since}: ${problem}`]),
  ].map((line) => visibleText(line));
