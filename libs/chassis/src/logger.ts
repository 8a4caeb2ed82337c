/** JSON logs of a process: level, app, trace id, and never a secret under a name we know. */
import { type LoggerService } from '@nestjs/common';
import { pino, type Logger } from 'pino';
import { currentTrace } from './trace-context.ts';

export type { Logger } from 'pino';

const SECRET_NAMES = [
  'authorization',
  'cookie',
  'token',
  'agent_token',
  'agentToken',
  'session_token',
  'sessionToken',
  'password',
  'secret',
  'credential',
  'api_key',
  'apiKey',
  'databaseUrl',
];

export const createLogger = (app: string, level: string): Logger =>
  pino({
    level,
    base: { app, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => {
      const trace = currentTrace();
      return trace ? { trace_id: trace.traceId } : {};
    },
    redact: { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
  });

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
