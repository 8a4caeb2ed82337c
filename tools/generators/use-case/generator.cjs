/** `nx g @bravo/tools:use-case`: the logic, its edge and its spec under the names the path of a message asks for. */
const { generateFiles, formatFiles } = require('@nx/devkit');
const path = require('node:path');
const { forms, requireVerbNoun, requireWord } = require('../names.cjs');

module.exports = async (tree, { app, area, name }) => {
  requireWord(area);
  requireVerbNoun(name);
  if (!tree.exists(`apps/${app}/package.json`)) throw new Error(`There is no app "${app}" under apps/.`);
  generateFiles(tree, path.join(__dirname, 'files'), `apps/${app}/src/${area}`, { ...forms(name), area, tmpl: '' });
  await formatFiles(tree);
  return () => console.log(`Next: add the RPC ${forms(name).pascalName} to the .proto, a row to the app's access table, and wire both in its module.`);
};
