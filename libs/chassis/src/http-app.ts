/** A Nest application on Fastify with our log, our errors, our spans and /metrics; it adds no behaviour of its own. */
import { type INestApplication, type Type, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { type Logger, NestLogger } from './logger.ts';
import { observeRequests, StepNameInterceptor } from './observe-requests.ts';
import { answerFault, ProblemFilter } from './problem-filter.ts';

export interface HttpAppOptions {
  readonly logger: Logger;
  /** Bytes of a request body, 1 MiB unless said. */
  readonly bodyLimit?: number;
}

export const createHttpApp = async (
  module: Type | DynamicModule,
  { logger, bodyLimit = 1024 * 1024 }: HttpAppOptions,
): Promise<NestFastifyApplication> => {
  const adapter = new FastifyAdapter({
    bodyLimit,
    trustProxy: false,
    forceCloseConnections: true,
    // A path and the same path with a slash at its end are one resource.
    routerOptions: { ignoreTrailingSlash: true },
    // What fails before there is a route, such as an address that cannot be decoded.
    frameworkErrors: (error: Error, _request: unknown, reply: FastifyReply) => answerFault(reply, error, logger),
  });
  observeRequests(adapter.getInstance());
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  app.useGlobalInterceptors(new StepNameInterceptor());
  app.useGlobalFilters(new ProblemFilter(logger));
  return app;
};

/** @returns the port listened on. */
export const listenHttp = async (app: INestApplication, host: string, port: number): Promise<number> => {
  await app.listen(port, host);
  const address = app.getHttpServer().address() as { port: number };
  return address.port;
};
