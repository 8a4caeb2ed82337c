/** One HTTP route as data: what it accepts, what it answers and what the caller needs. Validation, the guard and OpenAPI all read this and nothing else. */
import type { z } from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call: `anyone` (the sign-in page), `person` (any signed-in person), `member` (a member of `:ws`),
 * `bravo` (the same, where the feature is on), `operator` (an API token with `platform:operate`).
 */
export type Access = 'anyone' | 'person' | 'member' | 'bravo' | 'operator';

export interface Route {
  readonly method: Method;
  /** With `:name` parameters, from the root; a `*` at its end stands for a path of any depth. */
  readonly path: string;
  readonly summary: string;
  readonly area: string;
  readonly access: Access;
  /** A permission or credential scope beyond `view_content`, which every route of a workspace needs. */
  readonly needs?: string;
  readonly query?: z.ZodObject;
  /** A missing body is read as `{}` where every member is optional. */
  readonly body?: z.ZodObject;
  /**
   * JSON Schema, for the document, of a JSON body that is handed on as the very text that came: whoever reads it says where in
   * it a mistake stands. Never together with `body`.
   */
  readonly document?: Readonly<Record<string, unknown>>;
  /** Takes bytes of any kind as application/octet-stream, which its handler reads as a stream once the caller was admitted. */
  readonly bytes?: true;
  readonly status: number;
  /** Absent: no body. */
  readonly answer?: z.ZodType;
  /** Other media types it can answer with, for the document. */
  readonly alsoAnswers?: readonly string[];
  /** Request headers with a meaning, for the document. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Input<R extends Route> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: R['query'] extends z.ZodObject ? z.output<R['query']> : Record<never, never>;
  readonly body: R['body'] extends z.ZodObject
    ? z.output<R['body']>
    : R['document'] extends object
      ? string
      : Record<never, never>;
}

export const defineRoute = <const R extends Route>(route: R): R => route;
