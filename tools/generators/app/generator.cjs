/** `nx g @bravo/tools:app`: a process that starts, says it is ready and drains; it serves nothing until a use case is added. */
const { generateFiles, formatFiles } = require('@nx/devkit');
const path = require('node:path');
const { forms, insertBefore, requireWord } = require('../names.cjs');

module.exports = async (tree, { name }) => {
  requireWord(name);
  if (tree.exists(`apps/${name}`)) throw new Error(`apps/${name} is there already.`);
  const names = forms(name);
  generateFiles(tree, path.join(__dirname, 'files'), '.', { ...names, tmpl: '' });
  insertBefore(tree, 'libs/config/src/index.ts', /^$/, `export { ${names.camelName}Settings } from './apps/${name}.ts';`);
  insertBefore(tree, 'libs/config/src/app-settings.ts', /^import type \{ Settings \}/, `import { ${names.camelName}Settings } from './apps/${name}.ts';`);
  insertBefore(tree, 'libs/config/src/app-settings.ts', /^\} as const/, `  '${name}': ${names.camelName}Settings,`);
  await formatFiles(tree);
  return () => console.log(`Next: give apps/${name} a row in tools/stack/service-catalogue.ts and its edges in docs/architecture.md.`);
};
