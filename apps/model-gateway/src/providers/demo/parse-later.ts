/** Reads what a person wants looked at later: `watch notes.txt`, and `look again in 90 seconds`. */
import type { DemoRequest } from './request.ts';

const WATCH = /^(?:please\s+)?watch (?:the file )?(?:"([^"\n]{1,500})"|([^\s"]{1,500}))$/i;
const AGAIN = /^(?:please\s+)?look again in (\d{1,6}) ?(seconds?|minutes?)$/i;

export function parseLater(source: string): DemoRequest[] | undefined {
  const piece = source.trim().replace(/[!?]+$/, '');
  const [, quoted, plain] = WATCH.exec(piece) ?? [];
  const path = quoted ?? plain;
  if (path !== undefined) return [{ kind: 'watch', path }];
  const [, count, unit = ''] = AGAIN.exec(piece) ?? [];
  return count === undefined ? undefined : [{ kind: 'again', seconds: Number(count) * (/^m/i.test(unit) ? 60 : 1) }];
}
