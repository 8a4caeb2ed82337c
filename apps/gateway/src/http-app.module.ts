/** The gateway's HTTP application: cookies and the headers that every answer carries. */
import cookie from '@fastify/cookie';
import { createHttpApp } from '@bravo/chassis';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { GatewayModule, type GatewayParts } from './gateway.module.ts';

const BODY_LIMIT = 512 * 1024;

const HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

export const createGatewayApp = async (parts: GatewayParts): Promise<NestFastifyApplication> => {
  const app = await createHttpApp(GatewayModule.with(parts), { logger: parts.logger, bodyLimit: BODY_LIMIT });
  await app.register(cookie);
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
