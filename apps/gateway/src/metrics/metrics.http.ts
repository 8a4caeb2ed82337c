/** Serves the counts of this process. */
import { Controller, Get, Header, Inject } from '@nestjs/common';
import type { RequestCounts } from './request-counts.ts';

export const REQUEST_COUNTS = Symbol('request-counts');

@Controller()
export class MetricsController {
  readonly #counts: RequestCounts;
  constructor(@Inject(REQUEST_COUNTS) counts: RequestCounts) {
    this.#counts = counts;
  }

  @Get('metrics')
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  metrics(): string {
    return this.#counts.render({ residentBytes: process.memoryUsage.rss(), uptimeSeconds: process.uptime() });
  }
}
