/** What the broker knows of one tool; guarantees that the schema offered to agents and the classification decided on are one value. */
import type { InputSchema, JsonValue, ToolManifest } from '@bravo/policy';

export interface ToolInputSchema extends InputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

export interface ToolDefinition {
  readonly manifest: ToolManifest;
  readonly inputSchema: ToolInputSchema;
  /** Arguments of a usual call, for models that learn from one example more than from a schema. A test holds it against the schema. */
  readonly example?: Readonly<Record<string, JsonValue>>;
  /** Groups of arguments of which exactly one is given: what a schema that small models understand cannot say. */
  readonly exactlyOne?: readonly (readonly string[])[];
}

/** What a model is told of a tool: its one sentence, then what is to know, then a call as it is written. */
export const describeTool = ({ manifest, example }: ToolDefinition): string =>
  example === undefined ? manifest.description : `${manifest.description}\nExample: ${JSON.stringify(example)}`;

/** Arguments that matched the schema of their tool. */
export type ToolArguments = Readonly<Record<string, JsonValue>>;

/** Every tool takes it: drawn beside the question, decides nothing. */
export const WHY = {
  type: 'string',
  maxLength: 500,
  description: 'One short sentence for the person: why you make this call.',
} as const;

export const REFERENCE = { type: 'string', pattern: '^ref:[1-9][0-9]{0,8}$' } as const;

export const WORKSPACE_PATH = {
  type: 'string',
  minLength: 1,
  maxLength: 1024,
  pattern: '^[^\\u0000]+$',
} as const;
