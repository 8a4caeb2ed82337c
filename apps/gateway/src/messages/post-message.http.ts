/** A person's message over HTTP: as an event stream for a client that asks for one, else the finished exchange. */
import { Controller, Inject, Req, Res } from '@nestjs/common';
import { Fault } from '@bravo/faults';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, subjectOf } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import { asksForEvents } from '../turn-streams/accept-header.ts';
import { type StreamOptions, writeEvents } from '../turn-streams/write-events.http.ts';
import { POST_MESSAGE } from './message-routes.ts';
import { STREAM_OPTIONS } from './messages.http.ts';
import type { PostMessage } from './post-message.ts';

export const POST_MESSAGE_USE = Symbol('post-message');

@Controller()
export class PostMessageController {
  readonly #postMessage: PostMessage;
  readonly #options: StreamOptions;
  constructor(@Inject(POST_MESSAGE_USE) postMessage: PostMessage, @Inject(STREAM_OPTIONS) options: StreamOptions) {
    this.#postMessage = postMessage;
    this.#options = options;
  }

  @Serve(POST_MESSAGE)
  async postMessage(
    @TheCaller() caller: Caller,
    @Checked() { params, body }: Input<typeof POST_MESSAGE>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const conversationId = params['cid'] ?? '';
    const turn = await this.#postMessage(subjectOf(caller), {
      conversationId,
      content: body.content,
      idempotencyKey: readIdempotencyKey(request.headers['idempotency-key']),
      context: body.context ? JSON.stringify(body.context) : '',
    });
    if (asksForEvents(request.headers.accept)) {
      await writeEvents(reply, { conversationId, resync: false, events: turn.events }, this.#options);
      return;
    }
    const gone = new AbortController();
    reply.raw.on('close', () => gone.abort());
    const exchange = await turn.finished(gone.signal);
    if (!gone.signal.aborted) reply.status(POST_MESSAGE.status).send(exchange);
  }
}

const readIdempotencyKey = (header: string | string[] | undefined): string => {
  if (header === undefined) return '';
  if (typeof header === 'string' && /^[\x21-\x7e]{1,200}$/.test(header)) return header;
  throw new Fault('invalid_argument', 'Idempotency-Key must be 1 to 200 visible ASCII characters.', {
    meta: { field: 'Idempotency-Key' },
  });
};
