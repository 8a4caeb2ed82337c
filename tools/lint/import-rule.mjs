/** ESLint rules: the import table, and the direction of imports inside an app. They fail on anything the table does not allow, so a new kind of import is a decision, not an accident. */
import path from 'node:path';
import { FILE_KINDS, IMPORT_TABLE, OUTER_KINDS } from './import-table.mjs';

const globToRegExp = (glob) => {
  let out = '';
  for (let i = 0; i < glob.length; i += 1) {
    const c = glob[i];
    if (glob.startsWith('**/', i)) {
      out += '(?:.*/)?';
      i += 2;
    } else if (glob.startsWith('**', i)) {
      out += '.*';
      i += 1;
    } else if (c === '*') out += '[^/]*';
    else if (c === '{') out += '(?:';
    else if (c === '}') out += ')';
    else if (c === ',') out += '|';
    else out += c.replace(/[.+^$()|[\]\\]/g, '\\$&');
  }
  return new RegExp(`^${out}$`);
};

const rows = IMPORT_TABLE.map((row) => ({ ...row, patterns: row.files.map(globToRegExp) }));

/** The law of a file, by its path from the root of the repository. */
export const lawOf = (file) => rows.find((row) => row.patterns.some((pattern) => pattern.test(file)));

const kinds = FILE_KINDS.map((row) => ({ ...row, patterns: row.files.map(globToRegExp) }));

const kindOf = (file) => kinds.find((row) => row.patterns.some((pattern) => pattern.test(file)))?.kind;

/** Laws that are read by their own row and not by the suffix: tests, the page, and an adapter's folder, which is a way out as a whole. */
const SUFFIX_SAYS_NOTHING = ['a test', 'the web page', 'an adapter'];

const matches = (specifier, list) =>
  list.some((entry) => {
    if (entry === '*') return true;
    const base = entry.endsWith('/*') ? entry.slice(0, -1) : entry.endsWith(':*') ? entry.slice(0, -1) : undefined;
    if (base !== undefined) return specifier.startsWith(base);
    return specifier === entry || specifier.startsWith(`${entry}/`);
  });

const packageRoot = (file) => file.split('/').slice(0, 2).join('/');

/** What is wrong with the import, or undefined. `file` is relative to the root, with forward slashes. */
export const judgeImport = (file, specifier, typeOnly) => {
  const law = lawOf(file);
  if (!law) return undefined;
  if (specifier.startsWith('.')) {
    const target = path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
    if (law.anyRelative) return undefined;
    if (packageRoot(target) !== packageRoot(file) && !file.startsWith('tools/')) return `${law.name} may not reach into another package by path; import its public name`;
    if (target.includes('/generated/') && !law.generated && !file.includes('/generated/')) return `${law.name} may not import generated code; only a store, a module and the contracts may`;
    if (law.noFolders && path.posix.dirname(target) !== path.posix.dirname(file)) return `${law.name} may not import an adapter`;
    return undefined;
  }
  if (/^@bravo\/(gateway|identity|agent-orchestrator|agent-runtime|model-gateway|tool-broker|sandbox-runner|audit|automation|egress|web)(\/|$)/.test(specifier) && law.name !== 'a test') return 'no app imports another app';
  if (matches(specifier, ['@bravo/testing']) && law.name !== 'a test' && law.name !== 'test support' && law.name !== 'a tool') return `${law.name} may not import test support`;
  if (law.forbidden && matches(specifier, law.forbidden)) return `${law.name} may not import ${specifier}`;
  if (matches(specifier, law.packages)) return undefined;
  if (typeOnly && law.types && matches(specifier, law.types)) return undefined;
  return `${law.name} may not import ${specifier}`;
};

/** What is wrong with a relative import by the suffixes of its two ends, or undefined. */
export const judgeDirection = (file, specifier) => {
  const law = lawOf(file);
  if (!law || !specifier.startsWith('.') || SUFFIX_SAYS_NOTHING.includes(law.name)) return undefined;
  const target = path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
  if (!OUTER_KINDS[kindOf(file)]?.includes(kindOf(target))) return undefined;
  return `${kindOf(file)} may not import ${kindOf(target)}; move what both need into a file without a suffix, or have the module pass it in`;
};

const ruleOf = (description, judge) => ({
  meta: { type: 'problem', schema: [], docs: { description } },
  create(context) {
    const file = path.relative(context.cwd, context.filename).split(path.sep).join('/');
    const check = (node) => {
      if (!node.source || typeof node.source.value !== 'string') return;
      const typeOnly =
        node.importKind === 'type' ||
        node.exportKind === 'type' ||
        (node.type === 'ImportDeclaration' && node.specifiers.length > 0 && node.specifiers.every((specifier) => specifier.importKind === 'type'));
      const problem = judge(file, node.source.value, typeOnly);
      if (problem) context.report({ node, message: `Import rule: ${problem}.` });
    };
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check, ImportExpression: check };
  },
});

export const importRule = ruleOf('Imports follow the import table of docs/architecture.md.', judgeImport);
export const directionRule = ruleOf('Inside an app, inner files import no outer ones.', judgeDirection);
