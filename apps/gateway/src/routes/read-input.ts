/** Checks a request against its route; nothing a schema does not know gets through, and the refusal names the field. */
import { Fault } from '@bravo/faults';
import { readStrictJson } from '@bravo/policy';
import type { z } from 'zod';
import { readText, refuseNul } from './read-json.ts';
import type { Input, Route } from './route.ts';

export interface RawRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

export const readInput = <R extends Route>(route: R, request: RawRequest): Input<R> =>
  ({
    params: request.params as Record<string, string>,
    query: route.query ? check(route.query, request.query ?? {}, 'query parameter') : {},
    body: readBody(route, request.body),
  }) as Input<R>;

const readBody = (route: Route, body: unknown): unknown => {
  if (route.bytes) return {};
  if (route.document) return readDocument(body);
  if (route.body) return check(route.body, body ?? {}, 'field');
  // Clients that always send JSON may send an empty object where nothing is asked.
  if (body === undefined || body === null || body === '' || isEmptyObject(body)) return {};
  throw new Fault('invalid_argument', 'This request takes no body.', { meta: { field: 'body' } });
};

/** The very text, once nothing in it is what no text may hold. What is no JSON is refused by whoever reads it. */
const readDocument = (body: unknown): string => {
  if (body === undefined || body === null) return '';
  if (!(body instanceof Uint8Array)) {
    throw new Fault('invalid_argument', 'Send the document as application/json.', { meta: { field: 'body' } });
  }
  const text = readText(body);
  const reading = readStrictJson(text);
  if (reading.ok) refuseNul(reading.value, 'field');
  return text;
};

const isEmptyObject = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0;

const check = (schema: z.ZodObject, value: unknown, noun: string): unknown => {
  refuseNul(value, noun);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw issue ? faultOf(issue, noun) : new Fault('invalid_argument', 'The request is not valid.');
};

/** The first issue as a fault: one mistake named well is worth more than a list. */
const faultOf = (issue: z.core.$ZodIssue, noun: string): Fault => {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const field = [...issue.path.map(String), issue.keys[0] ?? ''].join('.');
    return new Fault('invalid_argument', `There is no ${noun} "${field}" here.`, { meta: { field } });
  }
  if (path === '') return new Fault('invalid_argument', 'The body must be a JSON object.', { meta: { field: 'body' } });
  return new Fault('invalid_argument', `The ${noun} "${path}" is not valid: ${lowerFirst(issue.message)}.`, {
    meta: { field: path },
  });
};

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
