import { describe, expect, it } from '@jest/globals';
import { checkCsrf, checkOrigin, credentialOf, ownOriginsOf, type RequestFacts } from './request-credential.ts';

const facts = (more: Partial<RequestFacts>): RequestFacts => ({
  method: 'POST',
  authorization: undefined,
  session: undefined,
  origin: undefined,
  fetchSite: undefined,
  csrfToken: undefined,
  ...more,
});

describe('the credential', () => {
  it('is the bearer token before the cookie, and a bad header is not made up for by a cookie', () => {
    expect(credentialOf(facts({ authorization: 'Bearer a', session: 'b' }))).toEqual({ value: 'a', source: 'bearer' });
    expect(credentialOf(facts({ session: 'b' }))).toEqual({ value: 'b', source: 'cookie' });
    expect(() => credentialOf(facts({ authorization: 'Basic a', session: 'b' }))).toThrow('unauthenticated');
    expect(() => credentialOf(facts({}))).toThrow('unauthenticated');
  });
});

describe('the CSRF token', () => {
  const cookie = { value: 's', source: 'cookie' } as const;
  it('is needed for a change by cookie and for nothing else', () => {
    expect(() => checkCsrf(facts({ method: 'GET' }), cookie, 'x')).not.toThrow();
    expect(() => checkCsrf(facts({}), { value: 't', source: 'bearer' }, '')).not.toThrow();
    expect(() => checkCsrf(facts({ csrfToken: 'x' }), cookie, 'x')).not.toThrow();
    expect(() => checkCsrf(facts({ csrfToken: 'y' }), cookie, 'x')).toThrow('csrf_failed');
    expect(() => checkCsrf(facts({}), cookie, 'x')).toThrow('csrf_failed');
  });
  it('is never satisfied by an empty one', () => {
    expect(() => checkCsrf(facts({ csrfToken: '' }), cookie, '')).toThrow('csrf_failed');
  });
});

describe('the origin', () => {
  const own = ownOriginsOf('http://127.0.0.1:8080/');
  it('of this machine is ours under each of its names, on our port', () => {
    expect(own).toEqual(['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080']);
    expect(ownOriginsOf('https://bravo.example.com/x')).toEqual(['https://bravo.example.com']);
  });
  it.each([
    [{ origin: 'http://localhost:8080', fetchSite: 'same-origin' }, true],
    [{ origin: undefined, fetchSite: undefined }, true],
    [{ origin: 'null' }, false],
    [{ origin: 'http://127.0.0.1:8081' }, false],
    [{ fetchSite: 'same-site' }, false],
    [{ method: 'GET', origin: 'http://evil.example' }, true],
  ])('%j', (more, fine) => {
    const check = () => checkOrigin(facts(more as Partial<RequestFacts>), own);
    if (fine) expect(check).not.toThrow();
    else expect(check).toThrow('csrf_failed');
  });
});
