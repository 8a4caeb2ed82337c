/** ESLint rule: the import table. It fails on anything the table does not allow, so a new kind of import is a decision, not an accident. */
import path from 'node:path';
import { IMPORT_TABLE } from './import-table.mjs';

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
  if (/^@bravo\/(gateway|identity|agent-orchestrator|agent-runtime|model-gateway|tool-broker|sandbox-runner|audit|web)(\/|$)/.test(specifier) && law.name !== 'a test') return 'no app imports another app';
  if (matches(specifier, ['@bravo/testing']) && law.name !== 'a test' && law.name !== 'test support' && law.name !== 'a tool') return `${law.name} may not import test support`;
  if (law.forbidden && matches(specifier, law.forbidden)) return `${law.name} may not import ${specifier}`;
  if (matches(specifier, law.packages)) return undefined;
  if (typeOnly && law.types && matches(specifier, law.types)) return undefined;
  return `${law.name} may not import ${specifier}`;
};

export const importRule = {
  meta: { type: 'problem', schema: [], docs: { description: 'Imports follow the import table of docs/architecture.md.' } },
  create(context) {
    const file = path.relative(context.cwd, context.filename).split(path.sep).join('/');
    const check = (node) => {
      if (!node.source || typeof node.source.value !== 'string') return;
      const typeOnly =
        node.importKind === 'type' ||
        node.exportKind === 'type' ||
        (node.type === 'ImportDeclaration' && node.specifiers.length > 0 && node.specifiers.every((specifier) => specifier.importKind === 'type'));
      const problem = judgeImport(file, node.source.value, typeOnly);
      if (problem) context.report({ node, message: `Import rule: ${problem}.` });
    };
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check, ImportExpression: check };
  },
};
