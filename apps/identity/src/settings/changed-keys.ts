/** Which keys differ between two stored settings documents, for the trail. Guarantees names alone; it must never tell a value. */

/** As many as an event carries; the last then says that there are more. */
const MOST_NAMES = 50;
const LONGEST_NAME = 200;

type Document = Readonly<Record<string, unknown>>;

/** Dotted names, one level into a block: `model`, `permissions.deny`, `env.A`. Both texts are stored documents. */
export const changedKeys = (before: string, after: string): readonly string[] => {
  const [old, now] = [namesOf(before), namesOf(after)];
  const differing = [...new Set([...old.keys(), ...now.keys()])]
    .filter((name) => old.get(name) !== now.get(name))
    .sort();
  const named = differing.slice(0, differing.length > MOST_NAMES ? MOST_NAMES - 1 : MOST_NAMES);
  const more = differing.length - named.length;
  return [...named.map((name) => name.slice(0, LONGEST_NAME)), ...(more > 0 ? [`and ${more} more`] : [])];
};

const namesOf = (text: string): ReadonlyMap<string, string> => {
  const names = new Map<string, string>();
  for (const [key, value] of Object.entries(JSON.parse(text) as Document)) {
    if (!isBlock(value)) names.set(key, JSON.stringify(value));
    else for (const [name, member] of Object.entries(value)) names.set(`${key}.${name}`, JSON.stringify(member));
  }
  return names;
};

const isBlock = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
