/** Checks arguments against a tool's JSON schema before anything is decided; a message names the place, never the value. */
import { fromJsonSchema } from '@modelcontextprotocol/server';
import type { ToolCatalogue } from '../manifests/catalogue.ts';
import type { ToolDefinition } from '../manifests/tool-definition.ts';

/** Sentences about what is wrong, empty when nothing is. An unknown tool has nothing to check: the decision refuses it. */
export type ValidateArguments = (tool: string, given: unknown) => Promise<readonly string[]>;

export const createValidateArguments = (catalogue: ToolCatalogue): ValidateArguments => {
  const schemas = new Map(
    [...catalogue].map(([name, { inputSchema }]) => [name, fromJsonSchema(inputSchema as never)]),
  );
  return async (tool, given) => {
    const schema = schemas.get(tool);
    if (schema === undefined) return [];
    const result = await schema['~standard'].validate(given);
    const problems = (result.issues ?? []).map(({ message }) => message.slice(0, 200));
    return problems.length > 0
      ? problems
      : beyondSchema(catalogue.get(tool)?.exactlyOne ?? [], given as Readonly<Record<string, unknown>>);
  };
};

/** What a schema that small models understand cannot say. */
const beyondSchema = (
  groups: NonNullable<ToolDefinition['exactlyOne']>,
  given: Readonly<Record<string, unknown>>,
): readonly string[] =>
  groups
    .filter((names) => names.filter((name) => given[name] !== undefined).length !== 1)
    .map((names) => `Give exactly one of ${names.join(' and ')}.`);
