/** Small readers of ordinary wording that the parsers share: politeness, quotes and paths. None of them guesses a meaning. */

const LEAD =
  /^(?:(?:hey|hi|hello|ok|okay|so|well|now|first|firstly|next|finally|lastly|also|and|then|please|pls|kindly|just|@?bravo|could you|can you|would you|will you|can we|could we|i(?:'d| would) like (?:you )?to|i want (?:you )?to|i need (?:you )?to|i'd love (?:you )?to|let's|lets|let us|go ahead and|try to|help me|for me)(?:\s*[,:!]\s*|\s+)|[-*•]\s+|\d{1,2}[.)]\s+)/i;
const TRAIL = /(?:[\s,]+(?:please|pls|thanks|thank you|for me|now|right now|again|if you can))+$/i;

/** Without leading politeness; a text that is nothing but politeness stays as it is. */
export function withoutLead(text: string): string {
  let rest = text.trim();
  for (let round = 0; round < 12; round += 1) {
    const next = rest.replace(LEAD, '');
    if (next === rest || next.trim() === '') return rest;
    rest = next.trimStart();
  }
  return rest;
}

/** Also without trailing politeness and sentence marks; never used on code or on a file's text. */
export const bare = (text: string): string =>
  withoutLead(text)
    .replaceAll(/[’‘]/g, "'")
    .replace(/[\s.!?;,]+$/, '')
    .replace(TRAIL, '')
    .replace(/[\s.!?;,]+$/, '');

const PAIRS: Readonly<Record<string, string>> = { '"': '"', "'": "'", '`': '`', '“': '”', '‘': '’', '«': '»' };

/** The text between quotes when the whole of it is quoted, else undefined. */
export function unquoted(text: string): string | undefined {
  const close = PAIRS[text[0] ?? ''];
  if (close === undefined || text.length < 2 || !text.endsWith(close)) return undefined;
  const inner = text.slice(1, -1);
  return inner.includes(close) ? undefined : inner;
}

/** A path at the beginning of `text`: a quoted one may hold spaces. Trailing sentence marks are no part of it. */
export function takePath(text: string): { path: string; quoted: boolean; rest: string } | undefined {
  const close = PAIRS[text[0] ?? ''];
  if (close !== undefined) {
    const end = text.indexOf(close, 1);
    const path = end > 1 ? text.slice(1, end).trim() : '';
    return path === '' || path.includes('\n') ? undefined : { path, quoted: true, rest: text.slice(end + 1) };
  }
  const word = /^[^\s"'`“”«»,;:\uE000]{1,1024}/.exec(text)?.[0] ?? '';
  const path = word.replace(/[.!?]+$/, '') || (/^\.+$/.test(word) ? word : '');
  return path === '' ? undefined : { path, quoted: false, rest: text.slice(path.length) };
}

const PLAIN_NAMES =
  /^(?:readme|license|licence|makefile|dockerfile|changelog|todo|notes?|copying|authors|gemfile|procfile)$/i;

/** Whether a word is spelt like a file: an extension, a directory in front, or a name every project knows. */
export const looksLikeFile = (path: string): boolean =>
  !path.endsWith('/') &&
  !isWebAddress(path) &&
  (/\.[\p{L}\p{N}_-]{1,12}$/u.test(path) || path.includes('/') || PLAIN_NAMES.test(path));

export const isWebAddress = (path: string): boolean => /^(?:https?|ftp):\/\//i.test(path) || /^www\./i.test(path);
