/** Serves the OpenAPI document. */
import { Controller, Get, Inject } from '@nestjs/common';

export const OPENAPI_DOCUMENT = Symbol('openapi-document');

@Controller()
export class OpenApiController {
  readonly #document: object;
  constructor(@Inject(OPENAPI_DOCUMENT) document: object) {
    this.#document = document;
  }

  @Get('openapi.json')
  openapi(): object {
    return this.#document;
  }
}
