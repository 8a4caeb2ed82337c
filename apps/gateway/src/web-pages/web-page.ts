/** Which file of the built page answers an address, and how long it may be kept; a file that was not there at the start is never served. */
import { createHash } from 'node:crypto';

export interface WebFile {
  readonly body: Buffer;
  readonly contentType: string;
  readonly cacheControl: string;
  readonly etag: string;
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  json: 'application/json',
  webmanifest: 'application/manifest+json',
  woff2: 'font/woff2',
  txt: 'text/plain; charset=utf-8',
  map: 'application/json',
};

/** Vite names what is under assets/ by its content, so it never changes under its name. */
const cacheControlOf = (name: string): string =>
  name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';

export const toWebFile = (name: string, body: Buffer): WebFile => ({
  body,
  contentType: TYPES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream',
  cacheControl: cacheControlOf(name),
  etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`,
});

export const INDEX = '/index.html';

/**
 * The file at the address, else the page itself for an address of the page's own (it has no dot in its last part).
 * @param files by name, beginning with a slash.
 */
export const findWebFile = (files: ReadonlyMap<string, WebFile>, path: string): WebFile | undefined => {
  const exact = files.get(path === '/' ? INDEX : path);
  if (exact) return exact;
  const isAddressOfPage = !path.slice(path.lastIndexOf('/')).includes('.');
  return isAddressOfPage ? files.get(INDEX) : undefined;
};

/** Nothing but our own files, no inline script, no framing, no form or base elsewhere. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');
