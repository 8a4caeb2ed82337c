/** A Nest application on Fastify with our log, our errors and our trace context; it adds no behaviour of its own. */
import { type INestApplication, type Type, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Logger, NestLogger } from './logger.ts';
import { ProblemFilter } from './problem-filter.ts';
import { readTraceparent, runInTrace } from './trace-context.ts';

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
  });
  adapter.getInstance().addHook('onRequest', (request, _reply, done) => {
    runInTrace(readTraceparent(request.headers.traceparent as string | undefined), done);
  });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  app.useGlobalFilters(new ProblemFilter(logger));
  return app;
};

/** @returns the port listened on. */
export const listenHttp = async (app: INestApplication, host: string, port: number): Promise<number> => {
  await app.listen(port, host);
  const address = app.getHttpServer().address() as { port: number };
  return address.port;
};
