/** Stands before every route: no handler under /api runs for a request that was not admitted, also one that forgot to say who it is for. */
import { type CanActivate, createParamDecorator, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Fault } from '@bravo/faults';
import type { FastifyRequest } from 'fastify';
import { routeOf } from '../routes/serve.http.ts';
import type { Admitted, AdmitRequest } from './admit-request.ts';
import type { RequestFacts } from './request-credential.ts';

export const ADMIT_REQUEST = Symbol('admit-request');
export const SESSION_COOKIE = 'bravo_session';

type Request = FastifyRequest & { bravo?: Admitted; cookies?: Record<string, string | undefined> };

@Injectable()
export class CallerGuard implements CanActivate {
  readonly #admit: AdmitRequest;
  constructor(@Inject(ADMIT_REQUEST) admit: AdmitRequest) {
    this.#admit = admit;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const route = routeOf(context.getHandler());
    if (!route) {
      // Health, metrics, documents and the page say nothing of anybody; anything else without a route is a mistake.
      if (request.url.startsWith('/api/')) throw new Fault('not_found', 'There is nothing at this address.');
      return true;
    }
    const { ws = '' } = request.params as { ws?: string };
    request.bravo = await this.#admit(route, factsOf(request), ws);
    return true;
  }
}

const factsOf = (request: Request): RequestFacts => {
  const header = (name: string): string | undefined => {
    const value = request.headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
  return {
    method: request.method,
    authorization: header('authorization'),
    session: request.cookies?.[SESSION_COOKIE],
    origin: header('origin'),
    fetchSite: header('sec-fetch-site'),
    csrfToken: header('x-csrf-token'),
  };
};

const admitted = (context: ExecutionContext): Admitted => {
  const { bravo } = context.switchToHttp().getRequest<Request>();
  if (!bravo) throw new Error('a handler asks for its caller before the guard ran');
  return bravo;
};

const present = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new Error(`the route's access gives no ${what}`);
  return value;
};

/** The `Caller` of a route for members. */
export const TheCaller = createParamDecorator((_: unknown, context: ExecutionContext) =>
  present(admitted(context).caller, 'caller'),
);
/** The `SignedIn` person of a route outside workspaces. */
export const TheSignedIn = createParamDecorator((_: unknown, context: ExecutionContext) =>
  present(admitted(context).signedIn, 'person'),
);
/** The `Credential` the request came with. */
export const TheCredential = createParamDecorator((_: unknown, context: ExecutionContext) =>
  present(admitted(context).credential, 'credential'),
);
