/** One way out to the gateway: same origin, JSON, the CSRF token on every change; it throws `ProblemError` and must never keep a credential outside the cookie. */
import { problemOf, ProblemError } from './problem.ts';

const BASE = '/api/v1';
let csrfToken = '';
let onSignedOut: () => void = () => {};

/** The token lives in memory only; a reload reads it from `/me` again. */
export function setCsrfToken(token: string): void {
  csrfToken = token;
}

/** @param listener called when the server no longer knows the session. */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

export interface CallOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  /** Sent as they are, in the place of a body. */
  bytes?: Blob;
  accept?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** @returns the response once its status is 2xx; otherwise throws the problem. */
export async function call(path: string, options: CallOptions = {}): Promise<Response> {
  const { method = 'GET', body, bytes, accept = 'application/json', headers = {}, signal } = options;
  const response = await fetch(BASE + path, {
    method,
    credentials: 'same-origin',
    cache: 'no-store',
    headers: {
      accept,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(bytes === undefined ? {} : { 'content-type': 'application/octet-stream' }),
      ...(method === 'GET' || csrfToken === '' ? {} : { 'x-csrf-token': csrfToken }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(bytes === undefined ? {} : { body: bytes }),
    ...(signal ? { signal } : {}),
  });
  if (response.ok) return response;
  const problem = problemOf(response.status, await response.json().catch(() => null));
  if (response.status === 401) onSignedOut();
  throw new ProblemError(problem);
}

/** The JSON body of a call; an empty body reads as an empty object. */
export async function callJson<T>(path: string, options: CallOptions = {}): Promise<T> {
  const response = await call(path, options);
  const body = await response.text();
  return (body === '' ? {} : JSON.parse(body)) as T;
}
