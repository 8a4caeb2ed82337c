/** Lists a directory; a name is shown as text only where the trust map vouches for its path, any other name is a reference of its own. What may not be read is not named at all. */
import { areAllVouched } from '@bravo/policy';
import { MAX_LISTED_ENTRIES } from '../../manifests/list-files.ts';
import type { FileEntry } from '../../sandbox/sandbox.ts';
import { type EffectOutput, type Execute, failed, targetOf } from '../effect.ts';
import { plural } from '../text.ts';

/** Past this many the remaining names share one reference: a listing must not flood the conversation with slots. */
const MAX_SINGLE_NAMES = 50;

export const listFiles: Execute = async ({ call, who }, { sandbox, trustOfNames, isReadDenied }) => {
  const directory = targetOf(call.targets, 'directory');
  const depth = typeof call.arguments['depth'] === 'number' ? call.arguments['depth'] : 1;
  const { entries: found, truncated, landing } = await sandbox.list(who, directory, depth, MAX_LISTED_ENTRIES);
  // What was judged is where the path landed then; a link that took its place leads to what nobody judged.
  if (landing !== directory) return failed('conflict', 'The directory changed while it was listed. List it again.');
  const asked = await isReadDenied(
    who.conversationId,
    found.flatMap((entry) => [entry.path, entry.landing || entry.path]),
  );
  // A link is a second name of what it leads to.
  const denied = found.map((_, index) => asked[2 * index] !== false || asked[2 * index + 1] !== false);
  const entries = found.filter((_, index) => denied[index] === false);
  const withheld = found.length - entries.length;
  const trusts = await trustOfNames(
    who.conversationId,
    entries.map((entry) => entry.path),
  );
  const vouched = entries.filter((_, index) => areAllVouched([trusts[index]!]));
  const others = entries.filter((_, index) => !areAllVouched([trusts[index]!]));

  const summary = [
    `${directory === '' ? 'The workspace' : 'The directory'} has ${entries.length === 0 ? `no ${withheld > 0 ? 'other ' : ''}entries` : plural(entries.length, 'entry', 'entries')}${truncated ? ', and more than can be listed: list a directory further in' : ''}.`,
  ];
  if (withheld > 0)
    summary.push(`${plural(withheld, 'entry is', 'entries are')} withheld: a permission rule denies reading there.`);
  if (others.length > 0) summary.push('Names that nobody vouched for are references; the person can see them.');
  const outputs: EffectOutput[] = [];
  if (vouched.length > 0) {
    outputs.push({
      origin: 'names of the workspace',
      name: '',
      kind: 'text',
      content: Buffer.from(vouched.map(lineOf).join('\n')),
      paths: vouched.map(() => 'trusted'),
    });
  }
  for (const entry of others.slice(0, MAX_SINGLE_NAMES)) {
    outputs.push({
      origin: originOf(entry),
      name: entry.path,
      kind: entry.kind === 'directory' ? 'directory name' : 'file name',
      path: entry.path,
      content: Buffer.from(entry.path),
      paths: ['untrusted'],
    });
  }
  const rest = others.slice(MAX_SINGLE_NAMES);
  if (rest.length > 0) {
    outputs.push({
      origin: `names of ${plural(rest.length, 'further entry', 'further entries')}`,
      name: '',
      kind: 'text',
      content: Buffer.from(rest.map(lineOf).join('\n')),
      paths: ['untrusted'],
    });
  }
  return { status: 'completed', summary, outputs };
};

const lineOf = (entry: FileEntry): string =>
  entry.kind === 'directory'
    ? `${entry.path}/`
    : entry.kind === 'link'
      ? `${entry.path} (link)`
      : `${entry.path} (${plural(entry.size, 'byte')})`;

const originOf = (entry: FileEntry): string =>
  entry.kind === 'file' ? `name of a file of ${plural(entry.size, 'byte')}` : `name of a ${entry.kind}`;
