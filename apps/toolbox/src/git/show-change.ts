/** One changed file as git shows it. Attributes, filters and drivers are not asked; what is too large is described. */
import { LIMITS } from '@bravo/policy';
import { isLarge, type Objects } from './objects.ts';
import { LINK, SUBMODULE } from './parse-objects.ts';
import type { Change, FileVersion } from './trees.ts';
import { unifiedDiff } from './unified-diff.ts';

const MOST_FILE_BYTES = LIMITS['git-file-size'].value;
const SNIFFED = 8_000;
const ABBREVIATED = 10;
const NOTHING = '0'.repeat(40);

export const short = (id: string): string => id.slice(0, ABBREVIATED);

/** As git writes a name that holds what a line may not; letters of every alphabet stand as they are. */
export const quoted = (path: string): string => {
  const signs: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '"': '\\"', '\\': '\\\\' };

  const escaped = path.replace(
    /[\u0000-\u001f\u007f"\\]/g,
    (sign) => signs[sign] ?? `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return escaped === path ? path : `"${escaped}"`;
};

type Content =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary' }
  | { readonly kind: 'large'; readonly size: number };

export const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, SNIFFED).includes(0);

export const contentOf = async (objects: Objects, version: FileVersion | undefined): Promise<Content> => {
  if (version === undefined) return { kind: 'text', text: '' };
  if (version.mode === SUBMODULE) return { kind: 'text', text: `Subproject commit ${version.id}\n` };
  const object = await objects.read(version.id, MOST_FILE_BYTES);
  if (isLarge(object)) return { kind: 'large', size: object.size };
  return isBinary(object.bytes) ? { kind: 'binary' } : { kind: 'text', text: object.bytes.toString('utf8') };
};

const modeOf = (mode: number): string => mode.toString(8).padStart(6, '0');
const kindOf = (mode: number): number => (mode === SUBMODULE || mode === LINK ? mode : 0);

export const showChange = async (objects: Objects, change: Change): Promise<string> => {
  const { path, before, after } = change;
  if (before !== undefined && after !== undefined && kindOf(before.mode) !== kindOf(after.mode)) {
    const [gone, come] = [
      { ...change, after: undefined },
      { ...change, before: undefined },
    ];
    return (await showChange(objects, gone)) + (await showChange(objects, come));
  }
  const [a, b] = [quoted(`a/${path}`), quoted(`b/${path}`)];
  const lines = [`diff --git ${a} ${b}`];
  if (before === undefined) lines.push(`new file mode ${modeOf(after?.mode ?? 0)}`);
  else if (after === undefined) lines.push(`deleted file mode ${modeOf(before.mode)}`);
  else if (before.mode !== after.mode) lines.push(`old mode ${modeOf(before.mode)}`, `new mode ${modeOf(after.mode)}`);
  if (before?.id === after?.id) return `${lines.join('\n')}\n`;
  const sameMode = before !== undefined && before.mode === after?.mode ? ` ${modeOf(before.mode)}` : '';
  lines.push(`index ${short(before?.id ?? NOTHING)}..${short(after?.id ?? NOTHING)}${sameMode}`);
  const [old, fresh] = [await contentOf(objects, before), await contentOf(objects, after)];
  const [from, to] = [before === undefined ? '/dev/null' : a, after === undefined ? '/dev/null' : b];
  const large = [old, fresh].find((content) => content.kind === 'large');
  if (large?.kind === 'large')
    return `${lines.join('\n')}\nA file of ${large.size} bytes, which is too large to be shown.\n`;
  if (old.kind !== 'text' || fresh.kind !== 'text')
    return `${lines.join('\n')}\nBinary files ${from} and ${to} differ\n`;
  const diff = unifiedDiff(old.text, fresh.text);
  if (diff === '') return `${lines.join('\n')}\n`;
  const tab = path.includes(' ') ? '\t' : '';
  return `${lines.join('\n')}\n--- ${from}${from === a ? tab : ''}\n+++ ${to}${to === b ? tab : ''}\n${diff}`;
};
