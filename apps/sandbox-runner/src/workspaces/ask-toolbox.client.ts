/** Speaks to a toolbox over a connection that leads to it and nowhere else; bounds what comes back and believes none of its shapes before they are checked. */
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { Fault } from '@bravo/faults';
import {
  MOST_MESSAGE_BYTES,
  packMessage,
  TOOL_MESSAGES,
  type ToolAnswer,
  toolFault,
  type ToolRequest,
  type ToolVerb,
  unpackMessage,
} from '@bravo/workspace-files';

const PATIENCE_MS = 30_000;

interface Heard {
  readonly status: number;
  readonly message: Buffer;
}

const post = (socket: Socket, verb: string, message: Buffer): Promise<Heard> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(() => socket.destroy(new Error('no answer in time')), PATIENCE_MS);
    const fail = (error: Error): void => {
      clearTimeout(late);
      socket.destroy();
      reject(error);
    };
    const call = request(
      {
        createConnection: () => socket,
        method: 'POST',
        path: `/${verb}`,
        headers: { host: 'toolbox', connection: 'close', 'content-length': message.length },
      },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > MOST_MESSAGE_BYTES) return fail(new Error('the answer is too large'));
          chunks.push(chunk);
        });
        response.on('error', fail);
        response.on('aborted', () => fail(new Error('the answer was cut off')));
        response.on('end', () => {
          clearTimeout(late);
          socket.destroy();
          resolve({ status: response.statusCode ?? 0, message: Buffer.concat(chunks) });
        });
      },
    );
    call.on('error', fail);
    // It comes paused, so that nothing of it is lost before somebody listens.
    call.once('socket', () => setImmediate(() => socket.resume()));
    call.end(message);
  });

const NO_ANSWER = 'The files of the conversation did not answer. Try again in a moment.';

export const askToolbox = async <V extends ToolVerb>(
  connect: () => Promise<Socket>,
  verb: V,
  head: ToolRequest<V>,
  content: Uint8Array = new Uint8Array(),
): Promise<{ answer: ToolAnswer<V>; bytes: Buffer }> => {
  let heard: Heard;
  try {
    heard = await post(await connect(), verb, packMessage(head, content));
  } catch (cause) {
    throw new Fault('unavailable', NO_ANSWER, { cause });
  }
  const broken = (cause: unknown): Fault => new Fault('internal', 'The toolbox gave no answer that is one.', { cause });
  try {
    const { head: said, bytes } = unpackMessage(heard.message);
    if (heard.status === 200) return { answer: TOOL_MESSAGES[verb].answer.parse(said) as ToolAnswer<V>, bytes };
    const fault = toolFault.safeParse(said);
    if (heard.status === 422 && fault.success) throw new Fault(fault.data.code, fault.data.detail);
  } catch (error) {
    throw error instanceof Fault ? error : broken(error);
  }
  throw broken(new Error(`status ${heard.status}`));
};
