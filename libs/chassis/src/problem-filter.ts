/** Every error of an HTTP edge as an RFC 9457 problem document; an unknown one keeps its text in the log. */
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { Fault, type FaultCode, isFault, toFault, toProblem } from '@bravo/faults';
import { type Logger } from './logger.ts';
import { newId } from './reference.ts';
import { currentTrace } from './trace-context.ts';

interface Reply {
  sent?: boolean;
  raw?: { headersSent: boolean; destroy(): void };
  status(code: number): Reply;
  header(name: string, value: string): Reply;
  send(body: unknown): unknown;
}

const CODE_OF_STATUS: Readonly<Record<number, FaultCode>> = {
  400: 'invalid_argument',
  401: 'unauthenticated',
  403: 'permission_denied',
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  409: 'conflict',
  413: 'payload_too_large',
  // Longer than any id: nothing has that name.
  414: 'not_found',
  415: 'unsupported_media_type',
  429: 'resource_exhausted',
};

/** Errors of Nest and Fastify themselves (unknown route, malformed JSON, body too large) as our faults. */
export const httpErrorToFault = (error: unknown): Fault => {
  if (isFault(error)) return error;
  if (error instanceof HttpException) {
    const code = CODE_OF_STATUS[error.getStatus()];
    return code ? new Fault(code, error.message, { cause: error }) : toFault(error);
  }
  if (error instanceof Error && 'code' in error && error.code === 'FST_ERR_BAD_URL') {
    return new Fault('invalid_argument', 'The address holds a % that encodes no UTF-8 text. Encode it anew.', {
      cause: error,
      meta: { field: 'path' },
    });
  }
  if (error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number') {
    const code = CODE_OF_STATUS[error.statusCode];
    return code ? new Fault(code, error.message, { cause: error }) : toFault(error);
  }
  return toFault(error);
};

/** Whoever quotes the problem quotes the trace: spans and log lines of every process are found by it. */
export const withTrace = <P extends object>(problem: P): P & { trace_id?: string } => {
  const trace = currentTrace();
  return trace ? { ...problem, trace_id: trace.traceId } : problem;
};

/** Answers with the error's problem document and logs it under the same reference. */
export const answerFault = (reply: Reply, error: unknown, logger: Logger): void => {
  const fault = httpErrorToFault(error);
  const reference = newId('ref');
  const line = { code: fault.code, reference: fault.reference ?? reference, detail: fault.detail };
  if (fault.code === 'internal') logger.error({ ...line, err: fault.cause ?? fault }, 'request failed');
  else logger.info(line, 'request refused');
  // A stream that began cannot become a problem document: cutting it is the only honest end.
  if (reply.raw?.headersSent) {
    reply.raw.destroy();
    return;
  }
  reply
    .status(fault.row.http)
    .header('content-type', 'application/problem+json')
    .send(withTrace(toProblem(fault, reference)));
};

@Catch()
export class ProblemFilter implements ExceptionFilter {
  readonly #logger: Logger;
  constructor(logger: Logger) {
    this.#logger = logger;
  }

  catch(error: unknown, host: ArgumentsHost): void {
    answerFault(host.switchToHttp().getResponse<Reply>(), error, this.#logger);
  }
}
