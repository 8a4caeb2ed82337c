/** The OpenAPI 3.1 document, made from the very routes and schemas that requests are checked with. */
import { z } from 'zod';
import type { Route } from '../routes/route.ts';

type Json = Record<string, unknown>;

const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    reference: z.string(),
    trace_id: z.string().optional(),
    field: z.string().optional(),
  })
  .describe('RFC 9457');

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return json;
};

/** A path of any depth is one parameter, whose slashes stand as they are. */
const named = (path: string): string => path.replace(/\*$/, ':path');

const parametersOf = (route: Route): Json[] => {
  const inPath = [...named(route.path).matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const { properties = {}, required = [] } = route.query
    ? (schemaOf(route.query, 'input') as { properties?: Json; required?: string[] })
    : {};
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
  const inHeader = Object.entries(route.headers ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }));
  return [...inPath, ...inQuery, ...inHeader];
};

const successOf = (route: Route): Json => {
  const types = [
    ...(route.answer ? [['application/json', { schema: schemaOf(route.answer, 'output') }]] : []),
    ...(route.alsoAnswers ?? []).map((type) => [type, { schema: { type: 'string' } }]),
  ];
  return { description: route.summary, ...(types.length > 0 ? { content: Object.fromEntries(types) as Json } : {}) };
};

const SECURITY: Readonly<Record<Route['access'], Json[]>> = {
  anyone: [],
  person: [{ session: [] }, { token: [] }],
  member: [{ session: [] }, { token: [] }],
  bravo: [{ session: [] }, { token: [] }],
  operator: [{ token: [] }],
};

const operationOf = (route: Route): Json => ({
  summary: route.summary,
  tags: [route.area],
  security: SECURITY[route.access],
  parameters: parametersOf(route),
  ...(route.body
    ? {
        requestBody: {
          required: !route.body.safeParse({}).success,
          content: { 'application/json': { schema: schemaOf(route.body, 'input') } },
        },
      }
    : {}),
  ...(route.document
    ? { requestBody: { required: true, content: { 'application/json': { schema: route.document } } } }
    : {}),
  ...(route.bytes
    ? {
        requestBody: {
          required: true,
          content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
        },
      }
    : {}),
  responses: {
    [String(route.status)]: successOf(route),
    default: {
      description: 'A problem',
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  },
});

export const buildOpenApiDocument = (routes: readonly Route[], serverUrl: string): Json => {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = named(route.path).replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Bravo', version: '1', description: 'Talk to @bravo, answer its questions, read what it did.' },
    servers: [{ url: serverUrl }],
    paths,
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'bravo_session',
          description: 'Changes also need the X-CSRF-Token header',
        },
        token: { type: 'http', scheme: 'bearer', description: 'An API token, bwt_…' },
      },
      schemas: { Problem: schemaOf(problem, 'output') },
    },
  };
};
