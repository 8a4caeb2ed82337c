/**
 * POST /v1/chat/completions for pods: the caller by its agent token, then the answer as a stream or as a whole.
 *
 * A stream that fails after its first byte ends with an error event and without `[DONE]`, so no client can take it for
 * a finished one; a client that goes away stops the provider.
 */
import { currentTrace, newId } from '@bravo/chassis';
import type { Logger } from '@bravo/chassis';
import { toFault } from '@bravo/faults';
import { Body, Controller, Headers, Inject, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { ServerResponse } from 'node:http';
import type { AuthenticateAgent } from '../callers/agent-caller.ts';
import type { AnswerCall } from '../answers/answer-call.ts';
import type { Answered } from '../attempts/answer-patiently.ts';
import { readChatRequest } from './chat-request.ts';
import { createChunker, toCompletion } from './chat-response.ts';
import { toOpenAiError } from './openai-error.ts';

export const AUTHENTICATE_AGENT = Symbol('authenticate agent');
export const ANSWER_CALL = Symbol('answer call');
export const LOGGER = Symbol('logger');

@Controller('v1/chat')
export class ChatCompletionsController {
  readonly #authenticate: AuthenticateAgent;
  readonly #answerCall: AnswerCall;
  readonly #logger: Logger;
  constructor(
    @Inject(AUTHENTICATE_AGENT) authenticate: AuthenticateAgent,
    @Inject(ANSWER_CALL) answerCall: AnswerCall,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#authenticate = authenticate;
    this.#answerCall = answerCall;
    this.#logger = logger;
  }

  @Post('completions')
  async callModel(
    @Headers('authorization') authorization: string | undefined,
    @Body() body: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const gone = new AbortController();
    // "close" also comes after a finished answer, when there is nothing left to stop.
    reply.raw.once('close', () => gone.abort());
    const caller = await this.#authenticate(authorization);
    const { question, stream, includeUsage } = readChatRequest(body);
    const { model, events } = await this.#answerCall(caller, { ...question, signal: gone.signal });
    const head = { id: newId('mdl'), model, created: Math.floor(Date.now() / 1_000) };
    if (!stream) {
      const all: Answered[] = [];
      for await (const event of events) all.push(event);
      await reply.status(200).send(toCompletion(head, all));
      return;
    }
    await this.#stream(reply, events, createChunker(head, includeUsage), gone.signal);
  }

  async #stream(
    reply: FastifyReply,
    events: AsyncIterable<Answered>,
    chunksOf: (event: Answered) => object[],
    signal: AbortSignal,
  ): Promise<void> {
    const raw = reply.raw;
    try {
      for await (const event of events) {
        // Until the first event a failure is still an ordinary error answer with its own status.
        if (!raw.headersSent) begin(reply);
        for (const chunk of chunksOf(event)) await write(raw, `data: ${JSON.stringify(chunk)}\n\n`, signal);
      }
      raw.end('data: [DONE]\n\n');
    } catch (error) {
      if (!raw.headersSent) throw error;
      const fault = toFault(error);
      const reference = newId('ref');
      this.#logger.info(
        { code: fault.code, reference, detail: fault.detail, err: fault.code === 'internal' ? fault.cause : undefined },
        'answer cut off',
      );
      raw.end(`data: ${JSON.stringify(toOpenAiError(fault, reference, currentTrace()?.traceId))}\n\n`);
    }
  }
}

function begin(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
}

/** Waits for a slow reader instead of filling the memory; a reader that is gone ends the wait. */
function write(raw: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted || raw.write(text)) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      raw.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    raw.once('drain', done);
    signal.addEventListener('abort', done, { once: true });
  });
}
