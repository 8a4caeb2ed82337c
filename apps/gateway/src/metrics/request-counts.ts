/** Counts requests by method and status class, in the Prometheus text format; it never holds an address or a name. */

export class RequestCounts {
  readonly #counts = new Map<string, number>();

  count(method: string, status: number): void {
    const key = `method="${method}",status="${Math.floor(status / 100)}xx"`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  render(process: { residentBytes: number; uptimeSeconds: number }): string {
    const lines = [
      '# HELP bravo_http_requests_total Requests answered.',
      '# TYPE bravo_http_requests_total counter',
      ...[...this.#counts].sort().map(([labels, count]) => `bravo_http_requests_total{${labels}} ${count}`),
      '# HELP process_resident_memory_bytes Resident memory of the process.',
      '# TYPE process_resident_memory_bytes gauge',
      `process_resident_memory_bytes ${process.residentBytes}`,
      '# HELP bravo_process_uptime_seconds Time since the process began.',
      '# TYPE bravo_process_uptime_seconds gauge',
      `bravo_process_uptime_seconds ${Math.round(process.uptimeSeconds)}`,
    ];
    return `${lines.join('\n')}\n`;
  }
}
