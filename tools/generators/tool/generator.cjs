/** `nx g @bravo/tools:tool`: a confined read tool that the broker offers at once; widen its manifest from there. */
const { generateFiles, formatFiles } = require('@nx/devkit');
const path = require('node:path');
const { forms, insertBefore, requireVerbNoun } = require('../names.cjs');

const SRC = 'apps/tool-broker/src';

module.exports = async (tree, { name, permission }) => {
  requireVerbNoun(name);
  const names = forms(name);
  generateFiles(tree, path.join(__dirname, 'files'), SRC, { ...names, permission, tmpl: '' });
  const { camelName, snakeName } = names;
  insertBefore(tree, `${SRC}/manifests/catalogue.ts`, /^import .*'\.\/tool-definition\.ts';/, `import { ${camelName}Tool } from './${name}.ts';`);
  const catalogue = tree.read(`${SRC}/manifests/catalogue.ts`, 'utf8');
  tree.write(`${SRC}/manifests/catalogue.ts`, catalogue.replace(/(FIRST_PARTY_TOOLS = \[[^\]]*?),?\s*\]/, `$1, ${camelName}Tool]`));
  insertBefore(tree, `${SRC}/tools/executors.ts`, /^$/, `import { ${camelName} } from './${name}/${name}.ts';`);
  const executors = tree.read(`${SRC}/tools/executors.ts`, 'utf8');
  tree.write(`${SRC}/tools/executors.ts`, executors.replace(/\n};\n?$/, `\n  ${snakeName}: ${camelName},\n};\n`));
  await formatFiles(tree);
};
