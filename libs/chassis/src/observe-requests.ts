/** Each HTTP request in a span named after the step that serves it, measured by its route, and the numbers at /metrics. Health is asked too often to be worth a span. */
import { type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { type Observable } from 'rxjs';
import { createTimer, METRICS_CONTENT_TYPE, renderMetrics, startProcessMetrics } from './metrics.ts';
import { startSpan, type StepSpan, stepName } from './spans.ts';
import { parseTraceparent, runInTrace } from './trace-context.ts';

interface Request {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly raw: object;
  readonly routeOptions: { readonly url?: string | undefined };
}

interface Reply {
  readonly raw: { readonly statusCode: number; once(event: 'close', handle: () => void): unknown };
  header(name: string, value: string): Reply;
  send(body: string): unknown;
}

/** What is needed of Fastify. */
interface Server {
  addHook(name: 'onRequest', hook: (request: never, reply: never, done: () => void) => void): unknown;
  get(path: string, handle: (request: never, reply: never) => Promise<unknown>): unknown;
}

const QUIET = ['/healthz', '/readyz', '/metrics'];

const timer = createTimer(
  'bravo_http_request_duration_seconds',
  'Time from an HTTP request to the end of its answer.',
  ['method', 'route', 'status'],
);

const spans = new WeakMap<object, StepSpan>();

export const observeRequests = (server: Server): void => {
  startProcessMetrics();
  server.addHook('onRequest', (request: Request, reply: Reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    if (QUIET.includes(route)) return done();
    const began = performance.now();
    const { method } = request;
    const span = startSpan(`${method} ${route}`, {
      kind: 'server',
      parent: parseTraceparent(String(request.headers['traceparent'] ?? '')) ?? null,
      attributes: { 'http.request.method': method, 'http.route': route },
    });
    spans.set(request.raw, span);
    // Also comes for a stream that was taken over or cut.
    reply.raw.once('close', () => {
      const { statusCode } = reply.raw;
      span.set({ 'http.response.status_code': statusCode });
      span.end();
      timer.observe((performance.now() - began) / 1e3, { method, route, status: `${Math.floor(statusCode / 100)}xx` });
    });
    runInTrace(span.context, done);
  });
  server.get('/metrics', async (_request: Request, reply: Reply) =>
    reply.header('content-type', METRICS_CONTENT_TYPE).send(await renderMetrics()),
  );
};

/** The handler's name is the step's: `postMessage` serves `post-message`. */
export class StepNameInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { raw } = context.switchToHttp().getRequest<Request>();
    spans.get(raw)?.rename(stepName(context.getHandler().name));
    return next.handle();
  }
}
