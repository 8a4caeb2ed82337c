/**
 * Reads the agent token from a file descriptor or a file, once, at the start.
 *
 * The token never comes from the environment (it could be read from /proc) and is never logged; the descriptor is
 * closed as soon as the token is read, so nothing started later can inherit it.
 */
import { close, read } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ConfigError } from './config-error.ts';

const readDescriptor = promisify(read);
const closeDescriptor = promisify(close);
const MAX_BYTES = 16_384;
const WAIT_MS = 10_000;

/** `source` is `fd:<n>` or `file:<path>`; the content is JSON `{"agent_token": "…"}`. Throws `ConfigError`. */
export async function readAgentToken(source: string): Promise<string> {
  const [kind, place] = [source.slice(0, source.indexOf(':')), source.slice(source.indexOf(':') + 1)];
  if (kind === 'fd') return readFromDescriptor(Number(place));
  let text: string;
  try {
    text = await readFile(place, 'utf8');
  } catch (error) {
    throw new ConfigError(`The agent token could not be read from ${source}: ${(error as Error).message}.`);
  }
  const token = parseToken(text);
  if (token === undefined) throw malformed(source);
  return token;
}

/** Reads until the JSON is whole, not until the end: a parent that keeps its end open must not block the start. */
async function readFromDescriptor(descriptor: number): Promise<string> {
  const source = `fd:${descriptor}`;
  const chunks: Buffer[] = [];
  const deadline = Date.now() + WAIT_MS;
  try {
    for (let size = 0; size < MAX_BYTES && Date.now() < deadline;) {
      const chunk = await readSome(descriptor, deadline - Date.now());
      if (chunk === undefined) continue;
      if (chunk.length === 0) break;
      chunks.push(chunk);
      size += chunk.length;
      const token = parseToken(Buffer.concat(chunks).toString('utf8'));
      if (token !== undefined) return token;
    }
  } catch (error) {
    throw new ConfigError(`The agent token could not be read from ${source}: ${(error as Error).message}.`);
  } finally {
    await closeDescriptor(descriptor).catch(() => undefined);
  }
  throw malformed(source);
}

/** The next bytes, empty at the end, undefined when there are none yet. */
async function readSome(descriptor: number, timeoutMs: number): Promise<Buffer | undefined> {
  const buffer = Buffer.alloc(4_096);
  try {
    const late = sleep(timeoutMs, undefined, { ref: false });
    const done = await Promise.race([readDescriptor(descriptor, buffer, 0, buffer.length, null), late]);
    if (done === undefined) throw new Error(`nothing arrived within ${WAIT_MS / 1_000} s`);
    return buffer.subarray(0, done.bytesRead);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    await sleep(5);
    return undefined;
  }
}

function parseToken(text: string): string | undefined {
  try {
    const parsed = JSON.parse(text) as { agent_token?: unknown } | null;
    const token = parsed?.agent_token;
    return typeof token === 'string' && /^[\x21-\x7e]{8,4096}$/.test(token) ? token : undefined;
  } catch {
    return undefined;
  }
}

function malformed(source: string): ConfigError {
  return new ConfigError(
    `${source} must hold JSON of the form {"agent_token": "…"}; it held something else or nothing.`,
  );
}
