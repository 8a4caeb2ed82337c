/** Checks arguments against a tool's JSON schema before anything is decided; a message names the argument and what is accepted, never the value. */
import { fromJsonSchema } from '@modelcontextprotocol/server';
import type { ToolCatalogue } from '../manifests/catalogue.ts';
import type { ToolDefinition } from '../manifests/tool-definition.ts';
import { explainArguments } from './explain-arguments.ts';

/** Sentences about what is wrong, empty when nothing is. An unknown tool has nothing to check: the decision refuses it. */
export type ValidateArguments = (tool: string, given: unknown) => Promise<readonly string[]>;

type Fits = (value: unknown) => Promise<boolean>;

export const createValidateArguments = (catalogue: ToolCatalogue): ValidateArguments => {
  const schemas = new Map([...catalogue].map(([name, tool]) => [name, compile(tool.inputSchema)]));
  const ofArguments = new Map<string, Fits>();
  /** Compiled when something did not fit: most never are. */
  const fitsArgument = (tool: ToolDefinition, name: string): Fits => {
    const key = `${tool.manifest.name} ${name}`;
    const fits =
      ofArguments.get(key) ?? compile({ type: 'object', properties: { [name]: tool.inputSchema.properties[name] } });
    ofArguments.set(key, fits);
    return fits;
  };
  return async (name, given) => {
    const [tool, fits] = [catalogue.get(name), schemas.get(name)];
    if (tool === undefined || fits === undefined) return [];
    if (!(await fits(given)))
      return explainArguments(tool, given, (argument, value) => fitsArgument(tool, argument)({ [argument]: value }));
    return beyondSchema(tool.exactlyOne ?? [], given as Readonly<Record<string, unknown>>);
  };
};

const compile = (schema: object): Fits => {
  const compiled = fromJsonSchema(schema as never);
  return async (value) => ((await compiled['~standard'].validate(value)).issues ?? []).length === 0;
};

/** What a schema that small models understand cannot say. */
const beyondSchema = (
  groups: NonNullable<ToolDefinition['exactlyOne']>,
  given: Readonly<Record<string, unknown>>,
): readonly string[] =>
  groups
    .filter((names) => names.filter((name) => given[name] !== undefined).length !== 1)
    .map((names) => `Give exactly one of ${names.join(' and ')}.`);
