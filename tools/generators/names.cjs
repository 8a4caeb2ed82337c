/** Names in the forms the layout needs, and a refusal of those the naming law forbids. */
const VERB_NOUN = /^[a-z]+(-[a-z0-9]+)+$/;
const WORD = /^[a-z][a-z0-9-]*$/;

const pascal = (name) => name.replace(/(^|-)([a-z0-9])/g, (_, __, letter) => letter.toUpperCase());
const camel = (name) => pascal(name).replace(/^./, (letter) => letter.toLowerCase());

exports.forms = (name) => ({ name, camelName: camel(name), pascalName: pascal(name), snakeName: name.replaceAll('-', '_'), words: name.replaceAll('-', ' ') });

exports.requireVerbNoun = (name) => {
  if (!VERB_NOUN.test(name)) throw new Error(`"${name}" is not a verb and a noun in kebab case, for example revoke-grant.`);
};
exports.requireWord = (name) => {
  if (!WORD.test(name) || /^(utils?|helpers?|common|services?)$/.test(name)) throw new Error(`"${name}" is not a usable name; say what it holds, in kebab case.`);
};

/** Inserts a line before the first line that matches; loud when the place is gone, so that a moved file is noticed. */
exports.insertBefore = (tree, file, pattern, line) => {
  const text = tree.read(file, 'utf8');
  const lines = text.split('\n');
  const at = lines.findIndex((candidate) => pattern.test(candidate));
  if (at < 0) throw new Error(`${file} has no line that matches ${pattern}; add by hand: ${line}`);
  lines.splice(at, 0, line);
  tree.write(file, lines.join('\n'));
};
