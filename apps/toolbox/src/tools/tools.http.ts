/** The way in: `POST /<verb>` with a packed message, answered by one; whoever holds the socket may ask. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isFault } from '@bravo/faults';
import { MOST_MESSAGE_BYTES, packMessage, unpackMessage } from '@bravo/workspace-files';
import type { Volume } from '../files/volume.ts';
import { answerTool } from './answer-tool.ts';

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_MESSAGE_BYTES) throw new Error('the request is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const answer = async (volume: Volume, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const respond = (status: number, message: Buffer): void => {
    response.writeHead(status, { 'content-type': 'application/octet-stream', 'content-length': message.length });
    response.end(message);
  };
  try {
    const { head, bytes } = unpackMessage(await readBody(request));
    const answered = await answerTool(volume, (request.url ?? '').slice(1), head, bytes);
    respond(200, packMessage(answered.head, answered.bytes));
  } catch (error) {
    if (isFault(error)) return respond(422, packMessage({ code: error.code, detail: error.detail }));
    process.stderr.write(`toolbox: ${String((error as Error).stack)}\n`);
    respond(500, packMessage({}));
  }
};

export const serveTools = (volume: Volume): Server =>
  createServer((request, response) => void answer(volume, request, response));
