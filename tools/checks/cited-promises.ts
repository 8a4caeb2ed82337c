/** Finds the promises a test file cites: ids in brackets in the title of a test or a group that runs. Text anywhere else cites nothing. */
import ts from 'typescript';

const RUNS_TESTS = new Set(['describe', 'it', 'test']);

/** The name and the words behind it: `it.each(rows)` is `it` with `each`. */
const nameOf = (callee: ts.Expression): { root: string; words: readonly string[] } => {
  if (ts.isIdentifier(callee)) return { root: callee.text, words: [] };
  if (ts.isCallExpression(callee) || ts.isTaggedTemplateExpression(callee)) {
    return nameOf(ts.isCallExpression(callee) ? callee.expression : callee.tag);
  }
  if (ts.isPropertyAccessExpression(callee)) {
    const { root, words } = nameOf(callee.expression);
    return { root, words: [...words, callee.name.text] };
  }
  return { root: '', words: [] };
};

const textOf = (node: ts.Expression | undefined): string => {
  if (node === undefined) return '';
  if (ts.isStringLiteralLike(node)) return node.text;
  return ts.isTemplateExpression(node)
    ? [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join('')
    : '';
};

/** A skipped test proves nothing, so its title does not count. */
export const titlesIn = (file: string, code: string): string[] => {
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const { root, words } = nameOf(node.expression);
      if (RUNS_TESTS.has(root)) {
        if (words.includes('skip') || words.includes('todo')) return;
        titles.push(textOf(node.arguments[0]));
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, code, ts.ScriptTarget.Latest));
  return titles.filter((title) => title !== '');
};

export const citedPromises = (file: string, code: string): string[] =>
  titlesIn(file, code).flatMap((title) => [...title.matchAll(/\[([a-z]+\.[a-z-]+)\]/g)].map((match) => match[1] ?? ''));
