/** Holds the places a server named against the files: what is not there, elsewhere or not to be read is told as that, and the text at a place is what the file has there. */
import type { PathTrust } from '@bravo/policy';
import type { OnBehalfOf } from '../../sandbox/sandbox.ts';
import type { EffectTools } from '../effect.ts';
import { isText } from '../text.ts';

export interface NamedPlace {
  /** Undefined: outside of the files. */
  readonly path: string | undefined;
  readonly line: number;
  readonly character: number;
  readonly kind: string;
}

export interface FoundPlace {
  readonly state: 'there' | 'outside' | 'gone';
  /** Where it lands; '' unless it is there. */
  readonly path: string;
  readonly line: number;
  readonly character: number;
  readonly kind: string;
  /** The line of the file, cut; '' where it was not read. */
  readonly text: string;
  readonly trust: PathTrust;
}

/** Further files are named without their lines. */
const MAX_FILES_READ = 40;
const MAX_FILE_BYTES = 512 * 1024;
const MAX_LINE_CHARS = 200;
const AT_ONCE = 6;

interface LookedAt {
  readonly landing: string;
  readonly lines: readonly string[];
}

export const lookAtPlaces = async (
  who: OnBehalfOf,
  named: readonly NamedPlace[],
  { sandbox, isReadDenied, trustOf }: Pick<EffectTools, 'sandbox' | 'isReadDenied' | 'trustOf'>,
): Promise<{ readonly places: readonly FoundPlace[]; readonly withheld: number }> => {
  const paths = [...new Set(named.flatMap(({ path }) => (path === undefined ? [] : [path])))];
  const look = async (path: string, at: number): Promise<LookedAt | undefined> => {
    if (at >= MAX_FILES_READ) {
      const { exists, kind, landing } = await sandbox.stat(who, path);
      return exists && kind === 'file' ? { landing, lines: [] } : undefined;
    }
    const { content, facts } = await sandbox.read(who, path, MAX_FILE_BYTES);
    if (!facts.exists || facts.kind !== 'file') return undefined;
    return { landing: facts.landing, lines: isText(content) ? Buffer.from(content).toString('utf8').split('\n') : [] };
  };
  const files = new Map<string, LookedAt>();
  const waiting = paths.map((path, at) => [path, at] as const);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        // A name nobody can open is one that is not there.
        const found = await look(...next).catch(() => undefined);
        if (found !== undefined) files.set(next[0], found);
      }
    }),
  );
  const landings = [...new Set([...files.values()].map(({ landing }) => landing))];
  const asked = [...new Set([...landings, ...files.keys()])];
  const denials = await isReadDenied(who.conversationId, asked);
  const denied = new Set(asked.filter((_, index) => denials[index] !== false));
  // INVARIANT: trust is read after the bytes, as for every read.
  const trusts = await trustOf(who.conversationId, landings);
  const trustOfLanding = new Map(landings.map((path, index) => [path, trusts[index] ?? 'unmentioned']));

  const places: FoundPlace[] = [];
  let withheld = 0;
  for (const { path, ...place } of named) {
    const nowhere = { ...place, path: '', text: '', trust: 'unmentioned' as const };
    const file = path === undefined ? undefined : files.get(path);
    if (path === undefined) places.push({ ...nowhere, state: 'outside' });
    else if (file === undefined) places.push({ ...nowhere, state: 'gone' });
    else if (denied.has(path) || denied.has(file.landing)) withheld += 1;
    else
      places.push({
        ...place,
        state: 'there',
        path: file.landing,
        text: cut(file.lines[place.line - 1] ?? ''),
        trust: trustOfLanding.get(file.landing) ?? 'unmentioned',
      });
  }
  return { places, withheld };
};

const cut = (line: string): string => {
  const text = line.trim();
  return text.length <= MAX_LINE_CHARS ? text : `${text.slice(0, MAX_LINE_CHARS)}…`;
};
