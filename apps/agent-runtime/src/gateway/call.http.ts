/** One HTTP request and its answer as the routes see them: a body with a limit, JSON in and out, and refusals that are thrown. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  /** Path without the configured prefix. */
  readonly path: string;
  /** `POST /webhook` */
  readonly route: string;
  /** Remote address. */
  readonly address: string;
}

export interface Answer {
  readonly status: number;
  readonly body: object | string;
}

/** A route answers, says that it has taken the response over, or says nothing where it is not meant. */
export type Route = (call: Call) => Promise<Answer | 'taken' | undefined> | Answer | 'taken' | undefined;

/** Ends the request with this answer. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly body: object | string,
  ) {
    super(`refused with ${status}`);
  }
}

/** A constant, as ZeroClaw has it. */
export const MAX_BODY_BYTES = 65_536;

export async function readBody(request: IncomingMessage): Promise<string> {
  const tooLarge = new Refusal(413, { error: `The body may hold ${MAX_BODY_BYTES} bytes.` });
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The body as a JSON object. */
export async function readObject(request: IncomingMessage): Promise<Record<string, unknown>> {
  return parseObject(await readBody(request));
}

export function parseObject(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>;
  } catch {
    // Told below.
  }
  throw new Refusal(400, { error: 'The body is not a JSON object.' });
}

/** The string of that name, not empty; else a 400 that names it. */
export function requireText(body: Readonly<Record<string, unknown>>, name: string): string {
  const value = body[name];
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new Refusal(400, { error: `The body needs ${name}, a text.` });
}

export function send(response: ServerResponse, { status, body }: Answer): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response
    .writeHead(status, {
      'content-type': typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json',
      'content-length': Buffer.byteLength(text),
      // A refused body is not read to its end, so the connection cannot be used again.
      ...(status === 413 && { connection: 'close' }),
    })
    .end(text);
}

export const isLoopback = (address: string): boolean => /^(::1|(::ffff:)?127\.)/.test(address);
