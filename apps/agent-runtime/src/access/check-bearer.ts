/**
 * Says whether a caller holds one of the preset tokens, comparing hashes in constant time.
 *
 * It never falls back to a weaker place: the strongest place that carries a token decides alone
 * (header, then WebSocket subprotocol, then query).
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The token of the `Authorization` header, or undefined. */
export function headerToken(request: IncomingMessage): string | undefined {
  const header = request.headers.authorization;
  if (header === undefined) return undefined;
  return /^Bearer +(\S+)$/i.exec(header)?.[1] ?? '';
}

/** The token of a WebSocket upgrade: header > `bearer.<token>` subprotocol > `?token=`. */
export function upgradeToken(request: IncomingMessage, url: URL): string | undefined {
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((item) => item.trim());
  const protocol = offered.find((item) => item.startsWith('bearer.'))?.slice('bearer.'.length);
  return headerToken(request) ?? protocol ?? url.searchParams.get('token') ?? undefined;
}

/** True only when `token` hashes to one of `hashes` (lowercase sha256 hex); with no hashes nobody passes. */
export function isPaired(token: string | undefined, hashes: readonly string[]): boolean {
  if (token === undefined || token === '') return false;
  const digest = createHash('sha256').update(token, 'utf8').digest();
  let paired = false;
  for (const hash of hashes) paired = timingSafeEqual(digest, Buffer.from(hash, 'hex')) || paired;
  return paired;
}
