/** Commits, tags and trees as what they say; what an object leaves out is empty, and nothing of it is believed to be short. */

export interface Signature {
  readonly name: string;
  readonly email: string;
  /** Seconds since 1970. */
  readonly seconds: number;
  /** Minutes east of UTC. */
  readonly offset: number;
}

export interface Commit {
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
}

export interface Tag {
  readonly object: string;
  readonly kind: string;
  readonly name: string;
  readonly tagger: Signature | undefined;
  readonly message: string;
}

export interface TreeEntry {
  readonly mode: number;
  readonly name: string;
  readonly id: string;
}

const NOBODY: Signature = { name: '', email: '', seconds: 0, offset: 0 };
const ID = /^[0-9a-f]{40}$/;

const signatureOf = (text: string): Signature => {
  const [, name = '', email = '', seconds = '0', sign = '+', hours = '0', minutes = '0'] =
    /^(.*?) ?<([^>]*)> (\d{1,12}) ([+-])(\d\d)(\d\d)$/.exec(text) ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  return name === '' && email === '' && seconds === '0' ? NOBODY : { name, email, seconds: Number(seconds), offset };
};

/** Header lines by name, in order, and what comes behind the empty line. */
const split = (bytes: Buffer): { headers: [string, string][]; message: string } => {
  const text = bytes.toString('utf8');
  const end = text.indexOf('\n\n');
  const head = end < 0 ? text : text.slice(0, end);
  const headers = head
    .split('\n')
    .filter((line) => !line.startsWith(' '))
    .map((line): [string, string] => [line.split(' ', 1)[0] ?? '', line.slice(line.indexOf(' ') + 1)]);
  return { headers, message: end < 0 ? '' : text.slice(end + 2) };
};

export const parseCommit = (id: string, bytes: Buffer): Commit => {
  const { headers, message } = split(bytes);
  const first = (name: string): string => headers.find(([header]) => header === name)?.[1] ?? '';
  return {
    ...{ id, message, tree: first('tree') },
    parents: headers.filter(([name, value]) => name === 'parent' && ID.test(value)).map(([, value]) => value),
    author: signatureOf(first('author')),
    committer: signatureOf(first('committer')),
  };
};

export const parseTag = (bytes: Buffer): Tag => {
  const { headers, message } = split(bytes);
  const first = (name: string): string => headers.find(([header]) => header === name)?.[1] ?? '';
  const tagger = first('tagger');
  return {
    ...{ object: first('object'), kind: first('type'), name: first('tag'), message },
    tagger: tagger === '' ? undefined : signatureOf(tagger),
  };
};

export const DIRECTORY = 0o040000;
export const LINK = 0o120000;
export const SUBMODULE = 0o160000;

export const parseTree = (bytes: Buffer): TreeEntry[] => {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(32, at);
    const end = bytes.indexOf(0, space);
    if (space < 0 || end < 0 || end + 21 > bytes.length) break;
    const mode = Number.parseInt(bytes.toString('latin1', at, space), 8);
    entries.push({ mode, name: bytes.toString('utf8', space + 1, end), id: bytes.toString('hex', end + 1, end + 21) });
    at = end + 21;
  }
  return entries;
};

/** In the order of their bytes, as git keeps them. */
export const byBytes = (a: string, b: string): number => (a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b)));
