/** Serves the built page at every address that is not the API's. */
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { Fault } from '@bravo/faults';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONTENT_SECURITY_POLICY, findWebFile, type WebFile } from './web-page.ts';

export const WEB_FILES = Symbol('web-files');

@Controller()
export class WebPagesController {
  readonly #files: ReadonlyMap<string, WebFile>;
  constructor(@Inject(WEB_FILES) files: ReadonlyMap<string, WebFile>) {
    this.#files = files;
  }

  @Get('/*')
  serve(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const path = pathOf(request.url);
    const file = path.startsWith('/api/') ? undefined : findWebFile(this.#files, path);
    if (!file) throw new Fault('not_found', 'There is nothing at this address.');
    reply
      .header('content-security-policy', CONTENT_SECURITY_POLICY)
      .header('cache-control', file.cacheControl)
      .header('etag', file.etag)
      .header('content-type', file.contentType);
    if (request.headers['if-none-match'] === file.etag) reply.status(304).send();
    else reply.send(file.body);
  }
}

const pathOf = (url: string): string => {
  try {
    return decodeURIComponent(url.split('?', 1)[0] ?? '/');
  } catch {
    throw new Fault('not_found', 'There is nothing at this address.');
  }
};
