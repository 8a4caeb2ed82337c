/** Says of arguments that do not fit which one it is and what is accepted, in words a small model can act on; it never repeats a value. */
import type { ToolDefinition } from '../manifests/tool-definition.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Whether a value fits the schema of one argument. */
export type FitsArgument = (name: string, value: unknown) => Promise<boolean>;

/** What is told in all, so that the answer stays under what clients cut. */
const MOST_CHARS = 340;

/** At least one sentence: it is asked only of what does not fit. */
export const explainArguments = async (
  { inputSchema }: Pick<ToolDefinition, 'inputSchema'>,
  given: unknown,
  fits: FitsArgument,
): Promise<readonly string[]> => {
  const { properties, required = [] } = inputSchema;
  const names = Object.keys(properties);
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return [`The arguments have to be one JSON object with ${names.join(', ')}.`];
  const problems: string[] = [];
  for (const name of required)
    if (!Object.hasOwn(given, name))
      problems.push(`"${name}" is missing: it has to be ${acceptedOf(properties[name]!)}.`);
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(properties, name)) problems.push(sayUnknown(name, names));
    else if (!(await fits(name, value))) problems.push(`"${name}" has to be ${acceptedOf(properties[name]!)}.`);
  }
  if (problems.length === 0) problems.push(`The arguments are ${names.join(', ')}.`);
  return shorten(problems);
};

const shorten = (problems: readonly string[]): readonly string[] => {
  const told: string[] = [];
  let room = MOST_CHARS;
  for (const problem of problems) {
    if (told.length > 0 && problem.length > room) break;
    told.push(problem.slice(0, MOST_CHARS));
    room -= problem.length;
  }
  const left = problems.length - told.length;
  return left === 0 ? told : [...told, `${left} more ${left === 1 ? 'argument does' : 'arguments do'} not fit.`];
};

const sayUnknown = (name: string, names: readonly string[]): string => {
  const near = names.find((one) => one.toLowerCase() === name.normalize('NFKC').trim().toLowerCase());
  const meant = near === undefined ? '' : ` Write it "${near}".`;
  return `There is no argument ${spell(name)}.${meant} Accepted: ${names.join(', ')}.`;
};

/** Letters that could pass for others are told by their code points. */
const spell = (name: string): string => {
  const shown = [...name.slice(0, 40)]
    .map((letter) =>
      /[\x20-\x7e]/.test(letter) && letter !== '"'
        ? letter
        : `<U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`,
    )
    .join('');
  return `"${shown}${name.length > 40 ? '…' : ''}"`;
};

/** What an argument's schema takes, as the end of "it has to be …". */
export const acceptedOf = (schema: Schema): string => {
  if (Array.isArray(schema['anyOf'])) return (schema['anyOf'] as Schema[]).map(acceptedOf).join(', or ');
  if (Array.isArray(schema['enum'])) return `one of ${(schema['enum'] as unknown[]).map(String).join(', ')}`;
  const most = schema['maxLength'] as number | undefined;
  const least = (schema['minLength'] as number | undefined) ?? 0;
  switch (schema['type']) {
    case 'string':
      if (schema['pattern'] === '^ref:[1-9][0-9]{0,8}$') return 'a reference such as ref:3';
      return `a text of ${most === undefined ? `at least ${least}` : `${least} to ${most}`} characters${schema['pattern'] === undefined ? '' : ' without a null character'}`;
    case 'integer':
      return `a whole number from ${String(schema['minimum'])} to ${String(schema['maximum'])}`;
    case 'boolean':
      return 'true or false';
    case 'array': {
      const items = typeof schema['items'] === 'object' ? acceptedOf(schema['items'] as Schema) : 'values';
      const distinct = schema['uniqueItems'] === true ? ', none twice' : '';
      return `a list of ${String(schema['minItems'] ?? 0)} to ${String(schema['maxItems'])}${distinct}, each ${items}`;
    }
    case 'object': {
      const properties = schema['properties'] as Record<string, Schema> | undefined;
      return properties === undefined ? 'an object of texts' : `an object with ${Object.keys(properties).join(', ')}`;
    }
    default:
      return 'of another kind';
  }
};
