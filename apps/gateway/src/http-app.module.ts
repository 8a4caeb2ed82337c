/** The gateway's HTTP application: cookies and the headers that every answer carries. */
import cookie from '@fastify/cookie';
import { createHttpApp } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { GatewayModule, type GatewayParts, servedRoutes } from './gateway.module.ts';
import { readJson } from './routes/read-json.ts';

const BODY_LIMIT = 512 * 1024;

const HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

/** JSON is read strictly, except for routes that are given the very text; a form is no way to say anything here. */
const useJsonBodies = (app: NestFastifyApplication): void => {
  const asText = new Set(servedRoutes().flatMap(({ path, document }) => (document ? [path] : [])));
  app.useBodyParser('application/json', { bodyLimit: BODY_LIMIT }, (request, body, done) => {
    try {
      done(null, asText.has(request.routeOptions.url ?? '') ? body : readJson(body));
    } catch (error) {
      done(error as Error);
    }
  });
  app.useBodyParser('application/x-www-form-urlencoded', { bodyLimit: BODY_LIMIT }, (_request, _body, done) => {
    done(new Fault('unsupported_media_type', 'A form is not read here. Send the body as application/json.'));
  });
};

/** Bytes are left in the connection until somebody who was admitted reads them. */
const useByteBodies = (app: NestFastifyApplication): void => {
  const takesBytes = new Set(servedRoutes().flatMap(({ path, bytes }) => (bytes ? [path] : [])));
  app
    .getHttpAdapter()
    .getInstance()
    .addContentTypeParser('application/octet-stream', (request, body, done) => {
      if (takesBytes.has(request.routeOptions.url ?? '')) done(null, body);
      else done(new Fault('unsupported_media_type', 'Bytes are not read here. Send the body as application/json.'));
    });
};

export const createGatewayApp = async (parts: GatewayParts): Promise<NestFastifyApplication> => {
  const app = await createHttpApp(GatewayModule.with(parts), { logger: parts.logger, bodyLimit: BODY_LIMIT });
  await app.register(cookie);
  useJsonBodies(app);
  useByteBodies(app);
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
      // Before anybody is asked whose it is: no store knows such a name.
      const names = Object.values(request.params as Record<string, string>);
      if (names.some((name) => name.includes('\0'))) done(new Fault('not_found', 'There is nothing at this address.'));
      else done();
    });
  return app;
};
