/** Answers every error under /v1 in the OpenAI shape, also those of the web server itself; all other paths keep problem documents. */
import { currentTrace, httpErrorToFault, newId, ProblemFilter } from '@bravo/chassis';
import type { Logger } from '@bravo/chassis';
import { Catch } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toOpenAiError } from './openai-error.ts';

@Catch()
export class OpenAiErrorFilter implements ExceptionFilter {
  readonly #problems: ProblemFilter;
  readonly #logger: Logger;
  constructor(logger: Logger) {
    this.#logger = logger;
    this.#problems = new ProblemFilter(logger);
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    if (!http.getRequest<FastifyRequest>().url.startsWith('/v1/') || reply.raw.headersSent) {
      this.#problems.catch(error, host);
      return;
    }
    const fault = httpErrorToFault(error);
    const reference = newId('ref');
    const line = { code: fault.code, reference: fault.reference ?? reference, detail: fault.detail };
    if (fault.code === 'internal') this.#logger.error({ ...line, err: fault.cause ?? fault }, 'request failed');
    else this.#logger.info(line, 'request refused');
    const retryAfter = fault.meta['retry_after'];
    if (retryAfter !== undefined) void reply.header('retry-after', retryAfter);
    void reply.status(fault.row.http).send(toOpenAiError(fault, reference, currentTrace()?.traceId));
  }
}
