/** Puts a route on a controller's method: path, method, status and the checked input come from the route alone. */
import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  RequestMapping,
  RequestMethod,
  SetMetadata,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { readInput } from './read-input.ts';
import type { Method, Route } from './route.ts';

const ROUTE = 'bravo:route';

const METHODS: Readonly<Record<Method, RequestMethod>> = {
  GET: RequestMethod.GET,
  POST: RequestMethod.POST,
  PUT: RequestMethod.PUT,
  PATCH: RequestMethod.PATCH,
  DELETE: RequestMethod.DELETE,
};

export const Serve = (route: Route): MethodDecorator =>
  applyDecorators(
    SetMetadata(ROUTE, route),
    HttpCode(route.status),
    RequestMapping({ method: METHODS[route.method], path: route.path }),
  );

/** Undefined for a handler that is no route of ours, such as health. */
export const routeOf = (handler: object): Route | undefined => Reflect.getMetadata(ROUTE, handler) as Route | undefined;

/** The checked params, query and body, as `Input<typeof ROUTE>`. */
export const Checked = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const route = routeOf(context.getHandler());
  if (!route) throw new Error(`${context.getHandler().name} asks for checked input and serves no route`);
  return readInput(route, context.switchToHttp().getRequest<FastifyRequest>());
});
