/** The few words of a repository's configuration that change what a read means. Nothing else of it is looked at, and nothing it names is opened. */

export interface GitConfig {
  /** Why the whole repository is not read here; '' where it is. */
  readonly declinedBecause: string;
  /** Why its status is not told here; '' where it is. */
  readonly noStatusBecause: string;
  /** Line ends of its files are converted. */
  readonly convertsLines: boolean;
  /** Whether the bit that makes a file a program is compared. */
  readonly fileMode: boolean;
}

const isOn = (value: string): boolean => !['false', 'no', 'off', '0', ''].includes(value.toLowerCase());

/** Lines as `section.subsection.name = value`, names in small letters; what cannot be read is no line. */
const linesOf = (text: string): [string, string][] => {
  const found: [string, string][] = [];
  let section = '';
  for (const raw of text.replace(/\\\r?\n/g, '').split('\n')) {
    let line = raw.trim();
    const head = /^\[\s*([A-Za-z0-9.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (head) {
      section = `${(head[1] ?? '').toLowerCase()}${head[2] === undefined ? '' : `.${head[2]}`}`;
      line = line.slice(head[0].length).trim();
    }
    const pair = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/.exec(line);
    if (pair) {
      const value = (pair[2] ?? 'true').replace(/\s*[#;].*$/, '').replace(/^"(.*)"$/, '$1');
      found.push([`${section}.${(pair[1] ?? '').toLowerCase()}`, value]);
    }
  }
  return found;
};

export const readConfig = (text: string): GitConfig => {
  let [declinedBecause, noStatusBecause, convertsLines, fileMode] = ['', '', false, true];
  for (const [name, value] of linesOf(text)) {
    if (/^include(if\..*)?\.path$/i.test(name)) declinedBecause = 'its configuration includes another file';
    if (name === 'core.worktree') declinedBecause = 'its working tree is elsewhere';
    if (name === 'extensions.objectformat' && value.toLowerCase() !== 'sha1') declinedBecause = 'its ids are not SHA-1';
    if (['extensions.refstorage', 'extensions.partialclone', 'extensions.worktreeconfig'].includes(name))
      declinedBecause = `it uses ${name}`;
    if (name === 'core.bare' && isOn(value)) noStatusBecause = 'it is a bare repository';
    if (name.startsWith('core.sparsecheckout') && isOn(value)) noStatusBecause = 'its checkout is sparse';
    if (name === 'core.splitindex' && isOn(value)) noStatusBecause = 'its index is split';
    if (name === 'core.excludesfile') noStatusBecause = 'its ignore rules are in a file outside it';
    if (name === 'core.attributesfile') noStatusBecause = 'its attributes are in a file outside it';
    if (name === 'core.autocrlf' && isOn(value)) convertsLines = true;
    if (name === 'core.eol') convertsLines = true;
    if (name === 'core.filemode') fileMode = isOn(value);
  }
  return { declinedBecause, noStatusBecause, convertsLines, fileMode };
};
