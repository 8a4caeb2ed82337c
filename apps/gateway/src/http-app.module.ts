/** The gateway's HTTP application: cookies and the headers that every answer carries. */
import cookie from '@fastify/cookie';
import { createHttpApp } from '@bravo/chassis';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { GatewayModule, type GatewayParts, servedRoutes } from './gateway.module.ts';

const BODY_LIMIT = 512 * 1024;

const HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

/** JSON is read as Fastify reads it, except for routes that are given the very text. */
const useJsonBodies = (app: NestFastifyApplication): void => {
  const asText = new Set(servedRoutes().flatMap(({ path, document }) => (document ? [path] : [])));
  const readJson = app.getHttpAdapter().getInstance().getDefaultJsonParser('error', 'error');
  app.useBodyParser('application/json', { bodyLimit: BODY_LIMIT }, (request, body, done) => {
    if (asText.has(request.routeOptions.url ?? '')) done(null, body);
    else void readJson(request as never, body as unknown as string, done);
  });
};

export const createGatewayApp = async (parts: GatewayParts): Promise<NestFastifyApplication> => {
  const app = await createHttpApp(GatewayModule.with(parts), { logger: parts.logger, bodyLimit: BODY_LIMIT });
  await app.register(cookie);
  useJsonBodies(app);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', (request, reply, done) => {
      // An answer of the API is of one person and one moment.
      if (request.url.startsWith('/api/')) void reply.header('cache-control', 'no-store');
      void reply.headers(HEADERS);
      if (parts.publicUrl.startsWith('https:')) {
        void reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
      }
      done();
    });
  return app;
};
