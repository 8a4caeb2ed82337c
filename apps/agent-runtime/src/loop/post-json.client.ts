/**
 * Sends one JSON POST and hands the answer's body on as it arrives.
 *
 * On node:http rather than fetch, which would cost every pod some 20 MB; and on a connection of its own each time,
 * because a request on a kept connection that dies leaves open whether it took effect. Nothing is ever sent twice.
 */
import { request as httpRequest } from 'node:http';
import { currentTraceparent } from '../traces/trace-parent.ts';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

export interface PostAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Throws while it is read when the connection is cut before the end. */
  readonly body: IncomingMessage;
}

/** Rejects with the signal's reason when it is aborted, else with the connection's own error. */
export function postJson(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: object,
  signal: AbortSignal,
): Promise<PostAnswer> {
  return new Promise((resolve, reject) => {
    const text = Buffer.from(JSON.stringify(body));
    const send = url.startsWith('https:') ? httpsRequest : httpRequest;
    const traceparent = currentTraceparent();
    const outgoing = send(url, {
      method: 'POST',
      agent: false,
      signal,
      headers: {
        ...headers,
        ...(traceparent && { traceparent }),
        'content-type': 'application/json',
        'content-length': text.length,
        connection: 'close',
      },
    });
    outgoing.once('response', (incoming) => {
      resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: incoming });
    });
    // Also listens on after the answer began: an abort then destroys the body, which its reader learns of.
    outgoing.on('error', reject);
    outgoing.end(text);
  });
}

/** The whole body as text; throws past `maxBytes`. */
export async function readText(body: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** What a failed connection says of itself, without an address. */
export const reasonOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? (error as Error).message;
