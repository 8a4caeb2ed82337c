/** JSON logs of a process: level, app, trace id, and never a secret under a name or in a shape we know. */
import { type LoggerService } from '@nestjs/common';
import { type DestinationStream, pino, type Logger } from 'pino';
import { redact, redactText } from './redact.ts';
import { currentTrace } from './trace-context.ts';

export type { Logger } from 'pino';

export const createLogger = (app: string, level: string, destination?: DestinationStream): Logger => {
  const logger = pino(
    {
      level,
      base: { app, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: () => {
        const trace = currentTrace();
        return trace ? { trace_id: trace.traceId, span_id: trace.spanId } : {};
      },
      // The fields by name and shape, then the sentence and what was put into it by shape.
      formatters: { log: redact },
      hooks: {
        logMethod(args, method) {
          const clean: unknown[] = args.map((part: unknown) => (typeof part === 'string' ? redactText(part) : part));
          // Where no sentence is given, pino takes the error's own words for it.
          const message = clean.length === 1 ? errorOf(clean[0])?.message : undefined;
          method.apply(this, (message === undefined ? clean : [...clean, redactText(message)]) as typeof args);
        },
      },
      serializers: { err: (error: unknown) => error },
    },
    destination ?? pino.destination(1),
  );
  // What a child is bound to passes no formatter, so it is cleaned on its way in.
  const child = logger.child;
  logger.child = function (this: Logger, bindings: Record<string, unknown>, options?: never) {
    return child.call(this, redact(bindings), options);
  } as typeof logger.child;
  return logger;
};

const errorOf = (first: unknown): Error | undefined => {
  if (first instanceof Error) return first;
  const inside = typeof first === 'object' && first !== null && 'err' in first ? first.err : undefined;
  return inside instanceof Error ? inside : undefined;
};

/** Nest's own start-up lines, in the same log. */
export class NestLogger implements LoggerService {
  readonly #logger: Logger;
  constructor(logger: Logger) {
    this.#logger = logger;
  }
  log(message: unknown): void {
    this.#logger.debug({ nest: true }, String(message));
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.#logger.error({ nest: true, rest: rest.map(String) }, String(message));
  }
  warn(message: unknown): void {
    this.#logger.warn({ nest: true }, String(message));
  }
  debug(message: unknown): void {
    this.#logger.trace({ nest: true }, String(message));
  }
  verbose(message: unknown): void {
    this.#logger.trace({ nest: true }, String(message));
  }
}
