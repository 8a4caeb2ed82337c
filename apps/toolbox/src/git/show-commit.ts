/** Commits and tags in git's words. */
import { type Commit, type Signature, type Tag } from './parse-objects.ts';
import { short } from './show-change.ts';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (value: number): string => String(value).padStart(2, '0');

/** As the clock of whoever signed showed it. */
const localOf = ({ seconds, offset }: Signature): Date => new Date((seconds + offset * 60) * 1_000);

const whenOf = (signature: Signature): string => {
  const at = localOf(signature);
  const { offset } = signature;
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}${two(Math.abs(offset) % 60)}`;
  const time = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map(two).join(':');
  return `${DAYS[at.getUTCDay()]} ${MONTHS[at.getUTCMonth()]} ${at.getUTCDate()} ${time} ${at.getUTCFullYear()} ${zone}`;
};

export const dayOf = (signature: Signature): string => localOf(signature).toISOString().slice(0, 10);

/** The first paragraph on one line, and what is behind it. */
export const splitMessage = (message: string): { subject: string; body: string } => {
  const text = message.replace(/^(?:[ \t\r]*\n)+/, '').trimEnd();
  const end = text.search(/\n[ \t\r]*\n/);
  const [first, rest] = end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end)];
  return {
    subject: first
      .split('\n')
      .map((line) => line.trimEnd())
      .join(' '),
    body: rest.replace(/^(?:[ \t\r]*\n)+/, ''),
  };
};

const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => `    ${line}\n`)
    .join('');

export const logLine = (commit: Commit, withBody: boolean): string => {
  const { subject, body } = splitMessage(commit.message);
  const line = `${short(commit.id)} ${dayOf(commit.author)} ${commit.author.name} ${subject}\n`;
  return withBody && body !== '' ? line + indented(body) : line;
};

export const commitHead = (commit: Commit): string => {
  const { id, parents, author, message } = commit;
  const merge = parents.length > 1 ? `Merge: ${parents.map(short).join(' ')}\n` : '';
  const text = message.replace(/^(?:[ \t\r]*\n)+/, '').trimEnd();
  const head = `commit ${id}\n${merge}Author: ${author.name} <${author.email}>\nDate:   ${whenOf(author)}\n`;
  return text === '' ? head : `${head}\n${indented(text)}`;
};

export const tagHead = ({ name, tagger, message }: Tag): string => {
  const who = tagger === undefined ? '' : `Tagger: ${tagger.name} <${tagger.email}>\nDate:   ${whenOf(tagger)}\n`;
  return `tag ${name}\n${who}\n${message.trimEnd()}\n\n`;
};
