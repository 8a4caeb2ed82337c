/** Takes the credential out of a request and refuses a browser's request that the page itself did not make. */
import { timingSafeEqual } from 'node:crypto';
import { Fault } from '@bravo/faults';

export interface RequestFacts {
  readonly method: string;
  readonly authorization: string | undefined;
  /** The session cookie. */
  readonly session: string | undefined;
  readonly origin: string | undefined;
  /** What the browser says of the page that asks (Sec-Fetch-Site). */
  readonly fetchSite: string | undefined;
  readonly csrfToken: string | undefined;
}

export interface Credential {
  readonly value: string;
  readonly source: 'cookie' | 'bearer';
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** @throws Fault unauthenticated when the request carries none. A bearer token wins over a cookie. */
export const credentialOf = ({ authorization, session }: RequestFacts): Credential => {
  if (authorization !== undefined) {
    const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    if (bearer === undefined)
      throw new Fault('unauthenticated', 'The Authorization header must read "Bearer <token>".');
    return { value: bearer, source: 'bearer' };
  }
  if (!session) throw new Fault('unauthenticated', 'Sign in, or send an API token in the Authorization header.');
  return { value: session, source: 'cookie' };
};

/** A browser sends where a changing request comes from; what it says must be us. Other clients send nothing and hold no cookie by accident. */
export const checkOrigin = (facts: RequestFacts, ownOrigins: readonly string[]): void => {
  if (SAFE_METHODS.includes(facts.method)) return;
  const foreignOrigin = facts.origin !== undefined && !ownOrigins.includes(facts.origin);
  const foreignSite = facts.fetchSite !== undefined && !['same-origin', 'none'].includes(facts.fetchSite);
  if (foreignOrigin || foreignSite) {
    throw new Fault(
      'csrf_failed',
      'The request comes from another page than Bravo. Open Bravo at its own address and try again.',
    );
  }
};

/** Only a cookie needs the token: nothing else is sent by a browser on its own. */
export const checkCsrf = (facts: RequestFacts, credential: Credential, expected: string): void => {
  if (credential.source === 'bearer' || SAFE_METHODS.includes(facts.method)) return;
  if (expected === '' || !sameText(facts.csrfToken ?? '', expected)) {
    throw new Fault('csrf_failed', 'The X-CSRF-Token header is missing or old. Reload the page and try again.');
  }
};

const sameText = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** The address people open, and its other loopback names: a page on this machine is reached by either. */
export const ownOriginsOf = (publicUrl: string): string[] => {
  const url = new URL(publicUrl);
  const loopback = ['127.0.0.1', 'localhost', '[::1]'];
  if (!loopback.includes(url.hostname)) return [url.origin];
  return loopback.map((host) => `${url.protocol}//${host}${url.port ? `:${url.port}` : ''}`);
};
